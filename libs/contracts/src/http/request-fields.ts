import { z } from 'zod';
import { environmentSchema } from '../environment';
import { formatAmount, parseAmount } from '../money';
import { AMOUNT_LENGTH, boundedText, factTimeText } from './request-values';

export { timestamp } from '../timestamp';

export const uuidText = (field: string, missing = `${field} must be a UUID`) =>
  z.uuid({ error: missing }).toLowerCase();

export const oneOf = <const Names extends readonly string[]>(field: string, names: Names) =>
  z.enum(names, { error: `${field} must be one of ${names.join(', ')}` });

export const yesOrNo = (field: string) => z.boolean({ error: `${field} must be true or false` });

export const wholeNumber = (field: string, from: number, to: number, missing = `${field} must be a whole number`) =>
  z.int({ error: missing }).min(from, `${field} must be at least ${from}`).max(to, `${field} must be at most ${to}`);

const isEnvironment = (error: string) => z.enum(environmentSchema.options, { error });
export const requiredEnvironment = isEnvironment('environment is required and must be SANDBOX or LIVE');
const givenEnvironment = isEnvironment('environment must be SANDBOX or LIVE');
export const environmentFilter = givenEnvironment.optional();
/** Of lists that are about one environment. */
export const environmentOrSandbox = givenEnvironment.default('SANDBOX');
/** Of requests that exist in SANDBOX alone. */
export const sandboxEnvironment = environmentOrSandbox.meta({ description: 'Must be SANDBOX; LIVE returns 403.' });

export const instantFilter = (field: string) => factTimeText(field).optional();

/** As parseAmount reads it. Example: "500.50". */
const AMOUNT = /^\d{1,15}(?:\.\d{1,2})?$/;
export const amountFilter = (field: string) =>
  z
    .string({ error: `${field} must be an amount in BDT` })
    .regex(AMOUNT, `${field} must be an amount in BDT, such as 500 or 500.50`)
    .meta(AMOUNT_LENGTH)
    .transform((text) => formatAmount(parseAmount(text) ?? 0n))
    .optional();

/** End of a page: time in microseconds and id of its last row. */
const CURSOR = /^\d{1,16}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const pageCursor = z
  .string({ error: 'after must be the nextCursor of a page' })
  .regex(CURSOR, 'after must be the nextCursor of a page')
  .meta({ minLength: 38, maxLength: 53 })
  .optional();

/** A machine-readable reason to filter by. Example: late_payment. */
export const reasonFilter = (message: string) =>
  z
    .string({ error: 'reason must be a string' })
    .regex(/^[a-z_]{1,60}$/, message)
    .meta({ minLength: 1, maxLength: 60 })
    .optional();

/** Why a person does something. */
export const personsReason = boundedText('reason', {
  max: 500,
  missing: 'reason is required and must be a string',
  trimmed: true,
});

/** A code that a person types; spaces, dashes and case do not matter. */
export const typedCode = boundedText('code', {
  min: 0,
  max: 40,
  missing: 'code is required and must be a string',
}).transform((code) => code.replace(/[\s-]/g, '').toUpperCase());
