import { toAsciiDigits } from '@pay/contracts';

/** Length of ten joined SMS. Longer texts are not from a wallet, and the limit bounds the time of the patterns. */
export const MAX_TEXT_LENGTH = 1_600;

/**
 * Characters that show nothing and that transports add or lose: soft hyphen, zero-width spaces and joiners, direction
 * marks, BOM.
 */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
/** Any run of white space within a line, no-break spaces included. */
const SPACES = /[^\S\n]+/g;
const BLANKS_AROUND_LINE_END = / ?\n[ \n]*/g;

/**
 * A text as the patterns expect it: ASCII digits, single spaces, \n between lines that hold something, nothing
 * invisible.
 */
export interface FoldedText {
  readonly lines: string;
  /** The same in one line: transports turn line breaks into spaces. */
  readonly line: string;
}

/** Removes insignificant differences from a text. Look-alike letters are kept, because they are a signal. */
export function normalise(message: string): FoldedText {
  if (isFolded(message)) return { lines: message, line: message.replaceAll('\n', ' ') };
  const lines = toAsciiDigits(message)
    .replace(INVISIBLE, '')
    .replace(LINE_END, '\n')
    .replace(SPACES, ' ')
    .replace(BLANKS_AROUND_LINE_END, '\n')
    .trim();
  return { lines, line: lines.replaceAll('\n', ' ') };
}

/** The usual form of a wallet's text: visible ASCII, single blanks and line ends, none at the ends. */
function isFolded(message: string): boolean {
  let wasBlank = true;
  for (let at = 0; at < message.length; at += 1) {
    const code = message.charCodeAt(at);
    const isBlank = code === 0x20 || code === 0x0a;
    if ((isBlank && wasBlank) || (!isBlank && (code < 0x21 || code > 0x7e))) return false;
    wasBlank = isBlank;
  }
  return !wasBlank;
}
