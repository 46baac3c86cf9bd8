import { z } from 'zod';
import { environmentSchema } from '../environment';
import { brandingSchema, supportContactSchema } from '../events/directory-events';
import { paymentMethodSchema } from '../payment-method';
import { intentStatusSchema } from '../status';
import { toAsciiDigits } from '../text';
import { trxIdInputSchema } from '../trx-id';
import { paymentMethodInput, requestBody } from './request-body';
import { timestamp } from './request-fields';

/**
 * Public view of an intent: only fields that the customer may see (spec section 2.2). PENDING with `expiresAt` not
 * after `serverTime` means that expiry waits for the decision about SMS and claims received in time.
 */
export const checkoutViewSchema = z
  .object({
    id: z.uuid(),
    amount: z.string(),
    currency: z.literal('BDT'),
    status: intentStatusSchema,
    environment: environmentSchema,
    customerReference: z.string().max(16),
    merchantReference: z.string().max(255).nullable(),
    paymentMethod: paymentMethodSchema.nullable().meta({ description: 'Null until the customer has chosen a method.' }),
    paymentMethods: z.array(paymentMethodSchema).meta({
      description:
        'Methods that can be chosen. Only one if the merchant set the method, empty if the status is not PENDING.',
    }),
    receiverMsisdn: z.string().nullable(),
    receiverOnline: z.boolean().nullable().meta({
      description:
        'Whether the device of this receiver account was seen recently. Null if unknown, for example for forwarders without a heartbeat.',
    }),
    merchantName: z.string().nullable(),
    branding: brandingSchema,
    support: supportContactSchema.meta({ description: 'How the customer reaches the shop.' }),
    language: z.enum(['en', 'bn']).nullable().meta({ description: 'Value given at creation.' }),
    claim: z.enum(['none', 'waiting', 'late', 'used']).meta({
      description:
        'State of the transaction IDs that the customer submitted. `waiting`: no payment of this intent was found for one yet. ' +
        '`late`: the intent expired before that; if its SMS still arrives, the merchant reviews it. `used`: it has paid another ' +
        'intent. `none`: all other cases. A transaction ID that exists at another receiver or for another order has the state of ' +
        'an unknown one.',
    }),
    payerDigitsRequired: z.boolean().meta({
      description:
        'Whether the merchant requires the last three digits of the payer number. Send them as `payerDigits` with the transaction ID.',
    }),
    paidAt: timestamp.nullable().meta({ description: 'Time of the status PAID, for the receipt. Null before.' }),
    trxId: z.string().nullable().meta({
      description:
        'Transaction ID of the payment, for the receipt. Null before the status PAID, or if a person confirmed without one.',
    }),
    redirectUrl: z
      .string()
      .nullable()
      .meta({
        description:
          'Redirect URL of the status with its four query parameters. Null while the status is PENDING or REVIEW_REQUIRED, or if the ' +
          'merchant gave no URL for it.',
      }),
    expiresAt: timestamp,
    serverTime: timestamp,
  })
  .meta({ id: 'Checkout' });
export type CheckoutView = z.infer<typeof checkoutViewSchema>;

/** For customers: they have a link, and no merchant or environment. */
export const PAYMENT_NOT_FOUND = 'No payment exists at this URL. Open the payment link of the shop again.';

/** The view in a stream event, without branding: the logo alone is larger than the other fields together. */
export const checkoutChangeSchema = checkoutViewSchema.omit({ branding: true }).meta({ id: 'CheckoutChange' });
export type CheckoutChange = z.infer<typeof checkoutChangeSchema>;

/** Names of the server-sent events of `GET /v1/checkout/:id/events`. */
export const CHECKOUT_EVENTS = {
  /** `data` is a CheckoutChange: first the current state, then one per change. `Last-Event-ID` resumes from its id. */
  view: 'checkout',
  /** Sent after the last view: close the stream and do not reconnect. `data` is `{}`. */
  end: 'end',
} as const;

export const chooseMethodRequestSchema = requestBody({
  paymentMethod: paymentMethodInput.meta({ examples: ['BKASH_SEND_MONEY'] }),
});

/** Last three digits of a mobile number. Accepts "345", and the same in Bangla digits. */
export const PAYER_DIGITS = /^\d{3}$/;

const payerDigitsInput = z
  .string({ error: 'payerDigits must be a string of exactly three digits' })
  .meta({ minLength: 3, maxLength: 3, pattern: '^\\s*[0-9\\u09e6-\\u09ef]{3}\\s*$' })
  .transform((text) => toAsciiDigits(text.trim()))
  .refine((text) => PAYER_DIGITS.test(text), 'payerDigits must be exactly three digits')
  .nullish();

export const confirmRequestSchema = requestBody({
  trxId: trxIdInputSchema.meta({
    description: 'Transaction ID of the wallet payment, as entered by the customer: 6 to 20 letters and digits.',
    examples: ['DKL4A1B2C3'],
  }),
  payerDigits: payerDigitsInput.meta({
    description:
      'Last three digits of the payer number. If `payerDigitsRequired` is true and the digits are missing or differ from the SMS, the ' +
      'payment is not confirmed automatically but reviewed by the merchant.',
    examples: ['345'],
  }),
});

export const confirmReasonSchema = z.enum([
  'trx_id_match',
  'trx_id_not_found',
  'trx_id_match_amount_mismatch',
  'processing',
]);

/** Response of POST /v1/checkout/:id/confirm (spec section 2.3). */
export const confirmResponseSchema = z
  .object({
    matched: z.boolean(),
    paymentIntentId: z.uuid(),
    smsEventId: z.uuid().nullable(),
    reason: confirmReasonSchema,
  })
  .meta({ id: 'CheckoutConfirmation' });
export type ConfirmResponse = z.infer<typeof confirmResponseSchema>;

/** Response of POST /v1/checkout/:id/cancel; null if the merchant gave no cancelUrl. */
export const cancelResponseSchema = z.object({ redirectUrl: z.string().nullable() });
