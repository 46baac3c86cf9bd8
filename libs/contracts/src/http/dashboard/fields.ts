import { z } from 'zod';
import { environmentSchema } from '../../environment';
import { PAYMENT_METHOD_SPELLINGS, paymentMethodInputSchema, paymentMethodSchema } from '../../payment-method';
import { ROLES } from '../../role';
import { emailText } from '../email';
import { boundedText, factTimeText } from '../request-values';

const MAX_NAME_LENGTH = 120;
export const name = (field: string) =>
  boundedText(field, { max: MAX_NAME_LENGTH, missing: `${field} is required and must be a string`, trimmed: true });

export const email = emailText('email', 'email is required and must be an e-mail address');

export const role = z.enum(ROLES, { error: `role is required and must be one of ${ROLES.join(', ')}` });
export const environment = z.enum(environmentSchema.options, {
  error: 'environment is required and must be SANDBOX or LIVE',
});
export const environmentFilter = z
  .enum(environmentSchema.options, { error: 'environment must be SANDBOX or LIVE' })
  .optional();

export const method = (field: string) =>
  z
    .string({ error: `${field} is required and must be a string` })
    .meta({ enum: PAYMENT_METHOD_SPELLINGS })
    .refine((text) => paymentMethodInputSchema.safeParse(text).success, {
      error: `${field} must be one of ${paymentMethodSchema.options.join(', ')} or its lower-case alias`,
      abort: true,
    })
    .pipe(paymentMethodInputSchema);

export const instant = (field: string) => factTimeText(field).transform((text) => new Date(text));

const MAX_REASON_LENGTH = 500;
export const changeReason = boundedText('reason', {
  max: MAX_REASON_LENGTH,
  missing: 'reason is required and must be a string',
  trimmed: true,
});

export const timestamp = z.iso.datetime({ offset: true });
/** Version of a record, starting at 1. */
export const versioned = { version: z.int().positive(), createdAt: timestamp, updatedAt: timestamp };
