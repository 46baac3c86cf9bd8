const LABELLED = /(?:TrxID|TxnID)[\s:]*([A-Z0-9]{6,20})/i;
const BANGLA_DIGITS = /[\u09e6-\u09ef]/g;
/** White space, invisible characters, dashes, and the full stop of a copied sentence. */
const NOISE = /[\s\u200b-\u200f\u2060\ufeff.\-\u2010-\u2015]/g;

/** The input may be a whole SMS. Also runs in browsers. */
export function tidyTrxId(typed: string): string {
  const text = toDigits(typed);
  return (LABELLED.exec(text)?.[1] ?? text.replace(NOISE, '')).toUpperCase();
}

/** Converts Bangla digits to ASCII. */
export function toDigits(typed: string): string {
  return typed.replace(BANGLA_DIGITS, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}

export function looksLikeTrxId(text: string): boolean {
  return /^[A-Z0-9]{6,20}$/.test(text);
}
