import { z } from 'zod';

export const providerSchema = z.enum(['BKASH', 'NAGAD']);
export type Provider = z.infer<typeof providerSchema>;

/** The six methods, in canonical form (spec section 2.1). */
export const paymentMethodSchema = z
  .enum(['BKASH_PAYMENT', 'BKASH_SEND_MONEY', 'BKASH_CASHOUT', 'NAGAD_PAYMENT', 'NAGAD_SEND_MONEY', 'NAGAD_CASHOUT'])
  .meta({ id: 'PaymentMethod' });
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

/** How callers should write methods: what descriptions list. Upper and lower case may also be mixed. */
export const PAYMENT_METHOD_SPELLINGS = paymentMethodSchema.options.flatMap((method) => [method, method.toLowerCase()]);

/** A method as callers may write it: canonical, or its lower-case alias (`bkash_send_money`). */
export const paymentMethodInputSchema = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(paymentMethodSchema);

const PROVIDERS: Readonly<Record<PaymentMethod, Provider>> = {
  BKASH_PAYMENT: 'BKASH',
  BKASH_SEND_MONEY: 'BKASH',
  BKASH_CASHOUT: 'BKASH',
  NAGAD_PAYMENT: 'NAGAD',
  NAGAD_SEND_MONEY: 'NAGAD',
  NAGAD_CASHOUT: 'NAGAD',
};

export function providerOf(method: PaymentMethod): Provider {
  return PROVIDERS[method];
}
