import { normaliseMsisdn, toAsciiDigits } from '@pay/contracts';

/** A number of which a provider may hide some digits. Example: "01712***456", "017XXXX4567" and "***648". */
const MASKED = /^[\d*xX]+$/;
const HIDDEN = /[*xX]/;

/**
 * Whether money may be from the expected number, by the digits that the text shows. A payer that is not shown, or is no mobile number, is
 * no disagreement.
 */
export function payersAgree(expected: string | undefined, shown: string | undefined): boolean {
  const wanted = expected === undefined ? undefined : normaliseMsisdn(expected);
  if (wanted === undefined || shown === undefined) return true;
  const whole = normaliseMsisdn(shown);
  if (whole !== undefined) return whole === wanted;
  const text = toAsciiDigits(shown)
    .replace(/[\s()-]/g, '')
    .replace(/^\+?88(?=0)/, '');
  if (!MASKED.test(text) || !HIDDEN.test(text)) return true;
  if (text.length === wanted.length) {
    return Array.from(text).every((shownDigit, n) => HIDDEN.test(shownDigit) || shownDigit === wanted[n]);
  }
  const parts = text.split(HIDDEN);
  return wanted.startsWith(parts.at(0) ?? '') && wanted.endsWith(parts.at(-1) ?? '');
}
