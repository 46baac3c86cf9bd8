import { z } from 'zod';
import { environmentSchema } from '../environment';
import { paymentMethodSchema } from '../payment-method';
import { intentStatusSchema } from '../status';
import { trxIdInputSchema } from '../trx-id';
import { requestBody } from './request-body';

/** Public view of an intent: only what its customer may see (spec section 2.2). `status` is for display only. */
export const checkoutViewSchema = z
  .object({
    id: z.uuid(),
    amount: z.string(),
    currency: z.literal('BDT'),
    status: intentStatusSchema,
    environment: environmentSchema,
    customerReference: z.string(),
    merchantReference: z.string().nullable(),
    paymentMethod: paymentMethodSchema.nullable(),
    paymentMethods: z.array(paymentMethodSchema),
    receiverMsisdn: z.string().nullable(),
    merchantName: z.string().nullable(),
    expiresAt: z.string(),
    serverTime: z.string(),
  })
  .meta({ id: 'Checkout' });
export type CheckoutView = z.infer<typeof checkoutViewSchema>;

export const confirmRequestSchema = requestBody({
  trxId: trxIdInputSchema.meta({
    description: "The wallet's transaction id as the customer types it: 6 to 20 letters and digits.",
    examples: ['DKL4A1B2C3'],
  }),
});

export const confirmReasonSchema = z.enum([
  'trx_id_match',
  'trx_id_not_found',
  'trx_id_match_amount_mismatch',
  'processing',
]);
export type ConfirmReason = z.infer<typeof confirmReasonSchema>;

/** Answer of POST /v1/checkout/:id/confirm (spec section 2.3). */
export const confirmResponseSchema = z
  .object({
    matched: z.boolean(),
    paymentIntentId: z.uuid(),
    smsEventId: z.uuid().nullable(),
    reason: confirmReasonSchema,
  })
  .meta({ id: 'CheckoutConfirmation' });
export type ConfirmResponse = z.infer<typeof confirmResponseSchema>;

/** Answer of POST /v1/checkout/:id/cancel: null when the merchant gave no address to go to. */
export const cancelResponseSchema = z.object({ redirectUrl: z.string().nullable() });
export type CancelResponse = z.infer<typeof cancelResponseSchema>;
