import { z } from 'zod';
import { environmentSchema } from '../environment';
import { brandingSchema } from '../events/directory-events';
import { paymentMethodSchema } from '../payment-method';
import { intentStatusSchema } from '../status';
import { toAsciiDigits } from '../text';
import { trxIdInputSchema } from '../trx-id';
import { paymentMethodInput, requestBody } from './request-body';

/**
 * none:    nobody has handed in a TrxID for this intent that is still waiting.
 * waiting: a TrxID was handed in and is kept; it is judged when its SMS comes.
 */
export const checkoutClaimSchema = z.enum(['none', 'waiting']);
export type CheckoutClaim = z.infer<typeof checkoutClaimSchema>;

/**
 * Public view of an intent: only what its customer may see (spec section 2.2). `status` is for display only. PENDING with `expiresAt` not
 * after `serverTime` means that the time is over and that it is being settled, for money may have come in time.
 */
export const checkoutViewSchema = z
  .object({
    id: z.uuid(),
    amount: z.string(),
    currency: z.literal('BDT'),
    status: intentStatusSchema,
    environment: environmentSchema,
    customerReference: z.string(),
    merchantReference: z.string().nullable(),
    paymentMethod: paymentMethodSchema
      .nullable()
      .meta({ description: 'Null until the customer has chosen one of several.' }),
    paymentMethods: z.array(paymentMethodSchema).meta({
      description: 'What can be chosen now; one alone where the merchant fixed it, none once the intent is settled.',
    }),
    receiverMsisdn: z.string().nullable(),
    receiverOnline: z.boolean().nullable().meta({
      description:
        'Whether the phone that sees this receiver’s payments was heard of lately. Null where that cannot be told, as with forwarders without a heartbeat.',
    }),
    merchantName: z.string().nullable(),
    branding: brandingSchema,
    language: z.enum(['en', 'bn']).nullable().meta({ description: 'As given at creation.' }),
    claim: checkoutClaimSchema,
    payerDigitsRequired: z.boolean().meta({
      description:
        'Whether the shop asks for the last three digits of the paying number. Send them as `payerDigits` with the transaction id.',
    }),
    redirectUrl: z.string().nullable().meta({
      description:
        'Where this very outcome leads, with the four query parameters. Null while there is none, and without an address.',
    }),
    expiresAt: z.string(),
    serverTime: z.string(),
  })
  .meta({ id: 'Checkout' });
export type CheckoutView = z.infer<typeof checkoutViewSchema>;

/** The view as an event carries it: without the looks, of which the logo alone is larger than all the rest. */
export const checkoutChangeSchema = checkoutViewSchema.omit({ branding: true }).meta({ id: 'CheckoutChange' });
export type CheckoutChange = z.infer<typeof checkoutChangeSchema>;

/** Names of the server-sent events of `GET /v1/checkout/:id/events`. */
export const CHECKOUT_EVENTS = {
  /** `data` is a CheckoutChange: the current state first, then one per change. Its id is what `Last-Event-ID` resumes from. */
  view: 'checkout',
  /** The view before it was the last one: nothing changes any more, close and do not connect again. `data` is `{}`. */
  end: 'end',
} as const;

export const chooseMethodRequestSchema = requestBody({
  paymentMethod: paymentMethodInput.meta({ examples: ['BKASH_SEND_MONEY'] }),
});
export type ChooseMethodRequest = z.infer<typeof chooseMethodRequestSchema>;

/** Last three digits of a mobile number. Accepts "345", and the same in Bangla digits. */
export const PAYER_DIGITS = /^\d{3}$/;

const payerDigitsInput = z
  .string({ error: 'payerDigits must be a string of exactly three digits' })
  .meta({ pattern: '^\\s*[0-9\\u09e6-\\u09ef]{3}\\s*$' })
  .transform((text) => toAsciiDigits(text.trim()))
  .refine((text) => PAYER_DIGITS.test(text), 'payerDigits must be exactly three digits')
  .nullish();

export const confirmRequestSchema = requestBody({
  trxId: trxIdInputSchema.meta({
    description: "The wallet's transaction id as the customer types it: 6 to 20 letters and digits.",
    examples: ['DKL4A1B2C3'],
  }),
  payerDigits: payerDigitsInput.meta({
    description:
      'Last three digits of the number that paid. Where `payerDigitsRequired` is true, a payment whose claim has no digits, or other ones ' +
      'than its SMS shows, is not confirmed automatically: the shop reviews it.',
    examples: ['345'],
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
