import { z } from 'zod';

/** Provider transaction id as customers type it: after trimming and upper-casing, 6 to 20 of A-Z 0-9. Example: DKL4A1B2C3. */
export const TRX_ID = /^[A-Z0-9]{6,20}$/;

export const trxIdInputSchema = z
  .string({ error: 'trxId must be a string' })
  .transform((text) => text.trim().toUpperCase())
  .refine((text) => TRX_ID.test(text), 'trxId must be 6 to 20 letters and digits');
