/**
 * NUL and halves of surrogate pairs: JSON can carry them, Postgres text and jsonb cannot. Example: "order \u0000 7".
 */
const UNSTORABLE = /[\u0000\p{Cs}]/u;

/**
 * Whether every character of the text can be stored; a request with any other is refused, or the insert would fail as a
 * 500.
 */
export function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text);
}

const CONTROL_OR_LINE_BREAK = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

/**
 * For names: mails and logs contain them. A line break would let a name add lines of its own, and a bidi control would
 * reorder the text around it.
 */
export function isOneLine(text: string): boolean {
  return !CONTROL_OR_LINE_BREAK.test(text);
}

const WEB_ADDRESS = /:\/\/|www\./i;

/** Whether a name contains a web address. Bare domains are allowed, because shops have names such as "Chaldal.com". */
export function hasWebAddress(text: string): boolean {
  return WEB_ADDRESS.test(text);
}

/** Replaces each character that cannot be stored by U+FFFD, for texts that must be stored in any case, such as SMS. */
export function toStorableText(text: string): string {
  return text.replace(new RegExp(UNSTORABLE, 'gu'), '\ufffd');
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an id, in lower or upper case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Bangla digits as ASCII ones ("০১৭" is "017"), everything else as it is: people type them, phones insert them. */
export function toAsciiDigits(text: string): string {
  return text.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}
