import { z } from 'zod';
import { TRX_ID_PATTERN } from './http/request-values';
import { toAsciiDigits } from './text';

/**
 * Provider transaction id as customers type it: after trimming and upper-casing, 6 to 20 of A-Z 0-9. Example:
 * DKL4A1B2C3.
 */
export const TRX_ID = /^[A-Z0-9]{6,20}$/;

/** A TrxID in a field of that name, in its canonical form; Bangla digits are read as digits. */
export const trxIdInput = (field: string, missing = `${field} must be a string`) =>
  z
    .string({ error: missing })
    // Bangla digits, too.
    .meta({ minLength: 6, maxLength: 20, pattern: TRX_ID_PATTERN })
    .transform((text) => toAsciiDigits(text.trim()).toUpperCase())
    .refine((text) => TRX_ID.test(text), `${field} must be 6 to 20 letters and digits`);

export const trxIdInputSchema = trxIdInput('trxId', 'trxId is required and must be a string');
