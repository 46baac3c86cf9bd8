import { z } from 'zod';

/** The e-mail addresses that zod accepts, without look-ahead, with labels of the host as RFC 1035 allows them. */
const EMAIL_PATTERN =
  "^(?:[A-Za-z0-9_'+-]+\\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]{2,63}$";
const EMAIL = new RegExp(EMAIL_PATTERN);
/** RFC 5321. A second pattern, because one that counts would need look-ahead. */
const LOCAL_PART_PATTERN = '^[^@]{1,64}@';
const LOCAL_PART = new RegExp(LOCAL_PART_PATTERN);

/** An e-mail address of a request, in lower case. */
export function emailText(field: string, missing = `${field} must be an e-mail address`) {
  return z
    .email({ error: missing, abort: true })
    .refine((text) => EMAIL.test(text), { error: `${field} must be an e-mail address`, abort: true })
    .refine((text) => LOCAL_PART.test(text), {
      error: `${field} must have at most 64 characters before the @`,
      abort: true,
    })
    .max(254, `${field} must be at most 254 characters`)
    .toLowerCase()
    .meta({ pattern: EMAIL_PATTERN, allOf: [{ pattern: LOCAL_PART_PATTERN }] });
}
