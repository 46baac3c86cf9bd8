import { z } from 'zod';
import { hasWebAddress, isOneLine, isStorableText } from '../text';

/**
 * Patterns for the API description, equivalent to the rules beside them, in a syntax that all regular expression
 * dialects share: no look-ahead, and no \d or \s, which other dialects define differently.
 */
const NO_NUL = '^[^\\u0000]*$';
/** The characters that `trim` removes. */
const WHITE_SPACE = '\\u0009-\\u000d\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const NOT_BLANK = `^[^\\u0000]*[^\\u0000${WHITE_SPACE}][^\\u0000]*$`;
const NOT_BLANK_WITH_NUL = `[^${WHITE_SPACE}]`;
/** The characters that `isOneLine` refuses. */
const NOT_ONE_LINE = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const ENDS_OF_LINE = `[^${NOT_ONE_LINE}${WHITE_SPACE}]`;
/** Trimmed text of one line. Line breaks around it are removed before validation. */
const ONE_LINE = `^[${WHITE_SPACE}]*${ENDS_OF_LINE}(?:[^${NOT_ONE_LINE}]*${ENDS_OF_LINE})?[${WHITE_SPACE}]*$`;
/** The texts that `hasWebAddress` finds. */
const WEB_ADDRESS = '://|[Ww][Ww][Ww]\\.';
/** Authenticator apps show a code as `123 456`. */
export const SIX_DIGITS_PATTERN = `^[${WHITE_SPACE}]*(?:[0-9][${WHITE_SPACE}]*){6}$`;
export const TRX_ID_PATTERN = `^[${WHITE_SPACE}]*[A-Za-z0-9\\u09e6-\\u09ef]{6,20}[${WHITE_SPACE}]*$`;

/** Of amounts as text: fifteen digits, a point and two decimals. */
export const AMOUNT_LENGTH = { minLength: 1, maxLength: 18 };
/** Of numbers that `normaliseMsisdn` accepts, without spaces and dashes. */
export const MSISDN_TEXT = { minLength: 10, maxLength: 14, pattern: '^(?:\\+?880|0)?1[3-9]\\d{8}$' };

const LABEL = '[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*';
const LAST_LABEL = '[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*';
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const SCHEME = '[Hh][Tt][Tt][Pp][Ss]?://';
const PORT = '(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})';
const UNPRIVILEGED_PORT =
  '(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[2-9][0-9]{3}|1[1-9][0-9]{2}|10[3-9][0-9]|102[4-9]|443|80)';
const NO_SPACE = `[^\\u0000-\\u0020\\u007f-\\u00a0${WHITE_SPACE}]`;
const AFTER_SCHEME = `(?:(?:${LABEL}\\.)*${LAST_LABEL}|(?:${OCTET}\\.){3}${OCTET})(?::${PORT})?(?:[/?#]${NO_SPACE}*)?$`;
/** Of URLs that a browser opens. Example: https://shop.example:8080/paid?order=7 */
export const HTTP_URL_PATTERN = `^${SCHEME}${AFTER_SCHEME}`;
export const HTTPS_URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]://${AFTER_SCHEME}`;
/** Of webhook URLs: a public DNS name, no fragment. Example: https://shop.example/webhooks */
export const ENDPOINT_URL_PATTERN =
  `^${SCHEME}(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\\.)+[A-Za-z]{2,63}(?::${UNPRIVILEGED_PORT})?` +
  `(?:[/?][\\u0021\\u0022\\u0024-\\u007e]*)?$`;

/** Number of Unicode code points, as JSON Schema and Postgres count. */
function characters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}

export interface TextRule {
  readonly min?: number;
  readonly max: number;
  /** Instead of `FIELD must be a string`. */
  readonly missing?: string;
  /** Surrounding white space is removed before validation. */
  readonly trimmed?: boolean;
  /** Replaces characters that cannot be stored instead of rejecting the text. */
  readonly repair?: (text: string) => string;
}

/** Free text of a request with bounds in characters. Text that cannot be stored is rejected. */
export function boundedText(
  field: string,
  { min = 1, max, missing = `${field} must be a string`, trimmed = false, repair }: TextRule,
) {
  const isBlankRefused = trimmed && min > 0;
  const ofWhole = isBlankRefused ? NOT_BLANK : NO_NUL;
  const ofRepaired = isBlankRefused ? NOT_BLANK_WITH_NUL : undefined;
  const pattern = repair === undefined ? ofWhole : ofRepaired;
  const given = z.string({ error: missing });
  const text = trimmed ? given.trim() : given;
  return (repair === undefined ? text : text.overwrite(repair))
    .refine(isStorableText, `${field} must not contain null characters or broken surrogate pairs`)
    .refine((value) => characters(value) >= min, {
      error: min === 1 ? `${field} must not be empty` : `${field} must be at least ${min} characters`,
    })
    .refine((value) => characters(value) <= max, `${field} must be at most ${max} characters`)
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max, ...(pattern !== undefined && { pattern }) });
}

/**
 * A name: trimmed text without line breaks, control characters and web addresses, because mails to other people contain
 * it.
 */
export function oneLineText(field: string, rule: Pick<TextRule, 'max' | 'missing'>) {
  return boundedText(field, { ...rule, trimmed: true })
    .refine(isOneLine, `${field} must not contain line breaks or other control characters`)
    .refine((text) => !hasWebAddress(text), `${field} must not contain :// or www.`)
    .meta({ pattern: ONE_LINE, not: { pattern: WEB_ADDRESS } });
}

const TIME = 'T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$';
const TOO_PRECISE = /\.\d{10}/;
/** Years 1970 to 2099, which Postgres, Date and phones handle alike. */
export const YEAR_OF_FACTS = /^(?:19[7-9]|20\d)\d-/;

export const TIME_PATTERN = `^[0-9]{4}-[0-9]{2}-[0-9]{2}${TIME}`;

/** A time of a request, as ISO 8601 text with a zone and at most nanoseconds. */
export function timeText(field: string, missing = `${field} must be an ISO 8601 timestamp with a time zone`) {
  return z.iso
    .datetime({ offset: true, error: missing, abort: true })
    .refine((text) => !TOO_PRECISE.test(text), {
      error: `${field} must have at most nine decimals in its seconds`,
      abort: true,
    })
    .meta({ pattern: TIME_PATTERN });
}

/** The same, limited to the years 1970 to 2099. */
export function factTimeText(field: string, missing?: string) {
  return timeText(field, missing)
    .refine((text) => YEAR_OF_FACTS.test(text), `${field} must be between 1970 and 2099`)
    .meta({ pattern: `^(?:19[7-9]|20[0-9])[0-9]-[0-9]{2}-[0-9]{2}${TIME}` });
}

/** A day of a request, between 1970 and 2099. */
export function dhakaDate(field: string, description: string) {
  return z.iso
    .date({ error: `${field} must be a date in Asia/Dhaka such as 2026-11-21`, abort: true })
    .refine((date) => YEAR_OF_FACTS.test(date), `${field} must be between 1970 and 2099`)
    .meta({ description, pattern: '^(?:19[7-9]|20[0-9])[0-9]-[0-9]{2}-[0-9]{2}$' });
}

/** Refuses a key that a record schema drops from a JSON object without an error. */
export const withoutProto = <Map extends z.ZodType>(error: string, map: Map) =>
  z
    .preprocess((given, context: z.core.$RefinementCtx) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) context.addIssue(error);
      return given;
    }, map)
    // Otherwise the API description would call the field optional.
    .nonoptional();
