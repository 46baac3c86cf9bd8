/** 1 to 16 characters after trimming: letters, digits, space and `-_./#`. Example: "INV-2041". */
const ALLOWED = /^[A-Za-z0-9 \-_./#]{1,16}$/;
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;

/** Without 0/O, 1/I/L, 2/Z, 5/S, 8/B, which are easily confused when copied by hand. */
export const REFERENCE_ALPHABET = '34679ACDEFGHJKMNPQRTUVWXY';
export const GENERATED_REFERENCE_LENGTH = 10;

export function isCustomerReference(trimmed: string): boolean {
  return ALLOWED.test(trimmed) && LETTER_OR_DIGIT.test(trimmed);
}

/**
 * The reference key: upper case, without spaces and dashes. The payer's Ref field is normalized in the same way; empty
 * if nothing comparable remains.
 */
export function referenceKey(reference: string): string {
  return reference.toUpperCase().replace(/[\s-]/g, '');
}
