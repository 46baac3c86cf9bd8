import { toAsciiDigits } from './text';

/**
 * A Bangladeshi mobile number without its prefix: ten digits from 13 to 19 on. Example: "+880 1700-000000" and
 * "01700000000".
 */
const MOBILE = /^(?:\+?880|0)?(1[3-9]\d{8})$/;

/**
 * A mobile number in the one form in which numbers are compared: "01700000000". Reads 8801.., +8801.., 01.., spaces,
 * dashes and Bangla digits; undefined for anything else, masked numbers and short codes included.
 */
export function normaliseMsisdn(input: string): string | undefined {
  const match = MOBILE.exec(toAsciiDigits(input).replace(/[\s()-]/g, ''));
  return match?.[1] === undefined ? undefined : `0${match[1]}`;
}

/**
 * Whether a text contains one of these numbers, given as normaliseMsisdn returns them, in any spelling. Example: "call
 * ০১৭১২-০০০৩৪৫ now".
 */
export function containsMsisdn(text: string, msisdns: readonly string[]): boolean {
  const digits = toAsciiDigits(text).replace(/[\s().\-\u2010-\u2015]/g, '');
  return msisdns.some((msisdn) => digits.includes(msisdn.slice(1)));
}
