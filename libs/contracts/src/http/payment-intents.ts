import { z } from 'zod';
import { isCustomerReference } from '../customer-reference';
import { environmentSchema } from '../environment';
import { INTENT_FAILURE_REASONS } from '../intent';
import { MAX_INTENT_AMOUNT } from '../money';
import { paymentMethodSchema } from '../payment-method';
import { intentStatusSchema } from '../status';
import { trxIdInput } from '../trx-id';
import { amountInput, INTENT_AMOUNTS } from './amount-input';
import { refuseUnlessHttpUrl } from './http-url';
import { pageQuerySchema } from './pagination';
import { paymentMethodInput, requestBody } from './request-body';
import { boundedText, HTTP_URL_PATTERN, TIME_PATTERN, timeText, withoutProto } from './request-values';
import { oneOf, timestamp, wholeNumber } from './request-fields';

export const DEFAULT_TTL_SECONDS = 300;
export const MIN_TTL_SECONDS = 60;
export const MAX_TTL_SECONDS = 86_400;
export const MAX_URL_LENGTH = 2_000;
const MAX_INTENT_AMOUNT_BDT = Number(MAX_INTENT_AMOUNT) / 100;

const text = (name: string, max: number) => boundedText(name, { max, trimmed: true });

const redirectUrl = (name: string) =>
  boundedText(name, { min: 0, max: MAX_URL_LENGTH })
    .meta({ pattern: HTTP_URL_PATTERN })
    .superRefine(refuseUnlessHttpUrl(name));

const intentAmount = amountInput(INTENT_AMOUNTS, 'amount is required and must be a number', (input, amount) =>
  amount !== undefined || Number(input) <= 0 || Number(input) > MAX_INTENT_AMOUNT_BDT
    ? `amount must be more than 0 and at most ${MAX_INTENT_AMOUNT_BDT}`
    : 'amount must be a number with at most two decimals',
);

const customerReferenceInput = z
  .string({ error: 'customerReference must be a string' })
  .trim()
  .refine(
    isCustomerReference,
    'customerReference must be 1 to 16 letters, digits, spaces or -_./# with at least one letter or digit',
  )
  .meta({ minLength: 1, maxLength: 16, pattern: '^[ _./#-]*[A-Za-z0-9][A-Za-z0-9 _./#-]*$' });

const metadataInput = withoutProto(
  'metadata keys must not be __proto__',
  z
    .record(
      boundedText('metadata keys', { max: 40 }).meta({ not: { const: '__proto__' } }),
      boundedText('metadata values', { min: 0, max: 500, missing: 'metadata values must be strings' }),
      {
        error: (issue) =>
          issue.code === 'invalid_key'
            ? 'metadata keys must be 1 to 40 characters without null characters or broken surrogate pairs'
            : 'metadata must be a flat object of strings',
      },
    )
    .refine((pairs) => Object.keys(pairs).length <= 20, 'metadata must have at most 20 pairs')
    .meta({ maxProperties: 20 }),
);

/**
 * Body of POST /v1/payments/intents (spec section 2.1). Parsing yields canonical parameters: aliases and defaults
 * applied.
 */
export const createIntentRequestSchema = requestBody({
  amount: intentAmount.meta({
    description: 'Amount in BDT, more than 0, as a number or a decimal string with at most two decimals.',
    examples: [1250.5, '500.00'],
  }),
  idempotencyKey: boundedText('idempotencyKey', {
    max: 255,
    missing: 'idempotencyKey is required in the body and must be a string',
  }).meta({
    description:
      'Your key for this request. A repeated request with the same key and parameters returns the existing intent.',
    examples: ['order-2041'],
  }),
  currency: z
    .literal('BDT', { error: 'currency must be BDT' })
    .nullish()
    .transform((currency) => currency ?? 'BDT')
    .meta({ description: 'Only BDT is supported. Default: BDT.', examples: ['BDT'] }),
  merchantReference: text('merchantReference', 255)
    .nullish()
    .meta({ description: 'Your order or invoice number. Returned and sent in webhooks.', examples: ['INV-2026-0041'] }),
  customerReference: customerReferenceInput.nullish().meta({
    description:
      'Reference that the customer enters in the wallet: 1 to 16 letters, digits, spaces or `-_./#`. Unique per merchant and ' +
      'environment, ignoring case, spaces and dashes. Generated if omitted.',
    examples: ['TEA-77'],
  }),
  paymentMethod: paymentMethodInput.nullish().meta({
    description:
      'Requires an active receiver account. If omitted, the only method with an active receiver account is used; if there are several, the customer chooses at checkout.',
    examples: ['BKASH_SEND_MONEY', 'bkash_send_money'],
  }),
  language: z
    .enum(['en', 'bn'], { error: 'language must be en or bn' })
    .nullish()
    .meta({ description: 'Language of the hosted checkout. Default: en.', examples: ['bn'] }),
  customerId: text('customerId', 255)
    .nullish()
    .meta({ description: 'Your id of the customer. Not shown at checkout.', examples: ['customer-7'] }),
  expectedSenderMsisdn: text('expectedSenderMsisdn', 20)
    .nullish()
    .meta({
      description:
        'Phone number of the payer, if known. If you turned on the rule that reviews payments from another number, a value ' +
        'that is not a Bangladeshi mobile number cannot be compared, and every payment goes to review.',
      examples: ['01712345678'],
    }),
  expectedTrxId: trxIdInput('expectedTrxId')
    .nullish()
    .meta({ description: 'Transaction ID of the wallet payment, if known.', examples: ['DKL4A1B2C3'] }),
  ttlSeconds: wholeNumber(
    'ttlSeconds',
    MIN_TTL_SECONDS,
    MAX_TTL_SECONDS,
    'ttlSeconds must be a whole number of seconds',
  )
    .nullish()
    .transform((ttlSeconds) => ttlSeconds ?? DEFAULT_TTL_SECONDS)
    .meta({ description: `Seconds until the intent expires. Default: ${DEFAULT_TTL_SECONDS}.`, examples: [900] }),
  successUrl: redirectUrl('successUrl')
    .nullish()
    .meta({
      description: 'Redirect URL of the checkout after PAID.',
      examples: ['https://shop.example/paid'],
    }),
  failedUrl: redirectUrl('failedUrl')
    .nullish()
    .meta({
      description: 'Redirect URL of the checkout after FAILED or REJECTED.',
      examples: ['https://shop.example/failed'],
    }),
  cancelUrl: redirectUrl('cancelUrl')
    .nullish()
    .meta({
      description: 'Redirect URL of the checkout after the customer cancels.',
      examples: ['https://shop.example/cart'],
    }),
  expiredUrl: redirectUrl('expiredUrl')
    .nullish()
    .meta({
      description: 'Redirect URL of the checkout after EXPIRED.',
      examples: ['https://shop.example/expired'],
    }),
  metadata: metadataInput.nullish().meta({
    description: 'Up to 20 custom string pairs. Returned and sent in webhooks.',
    examples: [{ till: '3' }],
  }),
}).meta({
  id: 'CreatePaymentIntent',
  examples: [
    {
      amount: 1250.5,
      idempotencyKey: 'order-2041',
      merchantReference: 'INV-2026-0041',
      ttlSeconds: 900,
      successUrl: 'https://shop.example/paid',
      cancelUrl: 'https://shop.example/cart',
    },
  ],
});
export type CreateIntentRequest = z.infer<typeof createIntentRequestSchema>;

/** An unescaped `+` of a query is decoded as a space. Example: "2026-11-21T00:00:00 06:00". */
const DECODED_PLUS = / (?=\d\d:?\d\d$)/;

const instant = (name: string) =>
  z
    .string({ error: `${name} must be given only once` })
    .meta({ format: 'date-time', pattern: TIME_PATTERN })
    .transform((text) => text.replace(DECODED_PLUS, '+'))
    .pipe(timeText(name, `${name} must be an ISO 8601 timestamp with a time zone`))
    .transform((text) => new Date(text));

/** Query of GET /v1/payments/intents. Filters are combined with AND. */
export const listIntentsQuerySchema = pageQuerySchema.extend({
  status: oneOf('status', intentStatusSchema.options).optional(),
  paymentMethod: paymentMethodInput.optional().meta({ examples: ['BKASH_SEND_MONEY'] }),
  merchantReference: text('merchantReference', 255).optional().meta({ description: 'Exact match.' }),
  customerReference: customerReferenceInput
    .optional()
    .meta({ description: 'Match that ignores case, spaces and dashes.' }),
  createdFrom: instant('createdFrom').optional().meta({ description: 'Created at this time or later.' }),
  createdTo: instant('createdTo').optional().meta({ description: 'Created at this time or earlier.' }),
});
export type ListIntentsQuery = z.infer<typeof listIntentsQuerySchema>;

const FAILURE_REASON = {
  description: `Reason for the status FAILED: ${INTENT_FAILURE_REASONS.map((reason) => `\`${reason}\``).join(', ')}. New reasons may be added.`,
  examples: [...INTENT_FAILURE_REASONS],
};
/** A text, because reasons may be added. */
export const intentFailureReason = z.string().meta(FAILURE_REASON);

/** An intent in the merchant API (spec section 2.1, with additions). */
export const intentResponseSchema = z
  .object({
    id: z.uuid(),
    environment: environmentSchema,
    amount: z.string().meta({ description: 'Amount in BDT as the shortest decimal string.', examples: ['1250.5'] }),
    currency: z.literal('BDT'),
    status: intentStatusSchema,
    customerReference: z.string().max(16),
    merchantReference: z.string().max(255).nullable(),
    paymentMethod: paymentMethodSchema.nullable().meta({
      description:
        'The chosen method; of a PAID intent the method that received the money. Null while the customer has not chosen.',
    }),
    receiverMsisdn: z
      .string()
      .nullable()
      .meta({
        description:
          'The number that the customer pays to; of a PAID intent the number that received the money. Null while the customer has not chosen.',
        examples: ['01712345678'],
      }),
    chosenPaymentMethod: paymentMethodSchema.nullable().meta({
      description:
        'The method that was chosen last, by you or by the customer. Differs from `paymentMethod` if the customer changed the ' +
        'method and then paid to a number that the checkout had shown before.',
    }),
    chosenReceiverMsisdn: z
      .string()
      .nullable()
      .meta({
        description: 'The receiver of `chosenPaymentMethod`.',
        examples: ['01712345678'],
      }),
    checkoutUrl: z.string().meta({ format: 'uri', description: 'Hosted checkout page; send the customer there.' }),
    expiresAt: timestamp,
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
    trxId: z
      .string()
      .nullable()
      .meta({
        description:
          'Transaction ID of the payment of a PAID intent, as `trx_id` in the webhook. Null if a person confirmed the payment without an SMS.',
        examples: ['DKL4A1B2C3'],
      }),
    expiredAt: timestamp.nullable(),
    failedAt: timestamp.nullable(),
    rejectedAt: timestamp.nullable(),
    reviewRequiredAt: timestamp.nullable(),
    failureReason: z.string().nullable().meta(FAILURE_REASON),
    metadata: z.record(z.string(), z.string()).nullable(),
  })
  .meta({
    id: 'PaymentIntent',
    examples: [
      {
        id: '01935002-0000-7000-8000-00000000b001',
        environment: 'SANDBOX',
        amount: '1250.5',
        currency: 'BDT',
        status: 'PENDING',
        customerReference: 'TEA-77',
        merchantReference: 'INV-2026-0041',
        paymentMethod: 'BKASH_SEND_MONEY',
        receiverMsisdn: '01712345678',
        chosenPaymentMethod: 'BKASH_SEND_MONEY',
        chosenReceiverMsisdn: '01712345678',
        checkoutUrl: 'https://gateway.example/checkout/01935002-0000-7000-8000-00000000b001',
        expiresAt: '2026-11-20T09:15:00.000Z',
        createdAt: '2026-11-20T09:00:00.000Z',
        paidAt: null,
        trxId: null,
        expiredAt: null,
        failedAt: null,
        rejectedAt: null,
        reviewRequiredAt: null,
        failureReason: null,
        metadata: null,
      },
    ],
  });
export type IntentResponse = z.infer<typeof intentResponseSchema>;
