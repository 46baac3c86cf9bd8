import { randomInt } from 'node:crypto';
import { REFERENCE_ALPHABET } from '@pay/contracts';
import { toString as renderQr } from 'qrcode';
import { CODE_LENGTH } from '../domain/pairing';

export function newPairingCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => REFERENCE_ALPHABET[randomInt(REFERENCE_ALPHABET.length)]).join('');
}

export function qrSvg(text: string): Promise<string> {
  return renderQr(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
}
