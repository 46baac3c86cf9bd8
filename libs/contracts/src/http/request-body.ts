import { z } from 'zod';
import { PAYMENT_METHOD_SPELLINGS, paymentMethodInputSchema, paymentMethodSchema } from '../payment-method';

/** A JSON object as a request body; unknown fields are ignored. */
export function requestBody<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, { error: 'body must be a JSON object' });
}

/** A payment method in canonical form or as its alias. */
export const paymentMethodText = (field: string, missing: string) =>
  z
    .string({ error: missing })
    .meta({ enum: PAYMENT_METHOD_SPELLINGS })
    .refine((method) => paymentMethodInputSchema.safeParse(method).success, {
      error: `${field} must be one of ${paymentMethodSchema.options.join(', ')} or its lower-case alias`,
      abort: true,
    })
    .pipe(paymentMethodInputSchema);
export const paymentMethodInput = paymentMethodText('paymentMethod', 'paymentMethod must be a string');
