import { randomInt } from 'node:crypto';
import { toString as renderQr } from 'qrcode';
import { CODE_ALPHABET, CODE_LENGTH } from '../domain/pairing';

export function newPairingCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}

/** An SVG image of a text. */
export function qrSvg(text: string): Promise<string> {
  return renderQr(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
}
