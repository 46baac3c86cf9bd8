import { normaliseMsisdn, toAsciiDigits } from '@pay/contracts';

/** A number in which a provider may mask digits. Example: "01712***456", "017XXXX4567" and "***648". */
const MASKED = /^[\d*xX]+$/;
const HIDDEN = /[*xX]/;
/** The last three digits of such a number. Example: "456" of "01712***456". */
const LAST_DIGITS = /^[\d*xX]*(\d{3})$/;

export type Agreement = 'agrees' | 'differs' | 'unknown';

/**
 * Whether the visible digits agree with the expected number. A missing payer, or one that is not a mobile number, does
 * not disagree; an expected number that is not a mobile number does, because no payer can be compared with it.
 */
export function payersAgree(expected: string | undefined, shown: string | undefined): boolean {
  if (expected !== undefined && normaliseMsisdn(expected) === undefined) return false;
  return compareNumbers(expected, shown) !== 'differs';
}

/** The expected payer of an intent: the merchant's number and the customer's digits. */
export interface KnownPayer {
  readonly expectedSenderMsisdn?: string | undefined;
  readonly payerDigits?: string | undefined;
}

/** Whether the text's payer agrees with the expected payer. One difference outweighs any agreement. */
export function agreementOfPayer(
  { expectedSenderMsisdn, payerDigits }: KnownPayer,
  shown: string | undefined,
): Agreement {
  const each = [compareNumbers(expectedSenderMsisdn, shown), compareDigits(payerDigits, shown)];
  if (each.includes('differs')) return 'differs';
  return each.includes('agrees') ? 'agrees' : 'unknown';
}

function compareNumbers(expected: string | undefined, shown: string | undefined): Agreement {
  const wanted = expected === undefined ? undefined : normaliseMsisdn(expected);
  if (wanted === undefined || shown === undefined) return 'unknown';
  const whole = normaliseMsisdn(shown);
  if (whole !== undefined) return whole === wanted ? 'agrees' : 'differs';
  const text = withoutNoise(shown);
  if (!MASKED.test(text) || !HIDDEN.test(text)) return 'unknown';
  if (!fitsMask(wanted, text)) return 'differs';
  return LAST_DIGITS.test(text) ? 'agrees' : 'unknown';
}

function compareDigits(given: string | undefined, shown: string | undefined): Agreement {
  const [, last] = shown === undefined ? [] : (LAST_DIGITS.exec(normaliseMsisdn(shown) ?? withoutNoise(shown)) ?? []);
  if (given === undefined || last === undefined) return 'unknown';
  return given === last ? 'agrees' : 'differs';
}

function fitsMask(wanted: string, text: string): boolean {
  if (text.length === wanted.length) {
    return Array.from(text).every((shownDigit, n) => HIDDEN.test(shownDigit) || shownDigit === wanted[n]);
  }
  const parts = text.split(HIDDEN);
  return wanted.startsWith(parts.at(0) ?? '') && wanted.endsWith(parts.at(-1) ?? '');
}

function withoutNoise(shown: string): string {
  return toAsciiDigits(shown)
    .replace(/[\s()-]/g, '')
    .replace(/^\+?88(?=0)/, '');
}
