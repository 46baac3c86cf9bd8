import { z } from 'zod';
import { isCustomerReference } from '../customer-reference';
import { environmentSchema } from '../environment';
import { MAX_INTENT_AMOUNT, parseAmount } from '../money';
import { paymentMethodInputSchema, paymentMethodSchema } from '../payment-method';
import { intentStatusSchema } from '../status';
import { isStorableText } from '../text';
import { trxIdInputSchema } from '../trx-id';

export const DEFAULT_TTL_SECONDS = 300;
export const MIN_TTL_SECONDS = 60;
export const MAX_TTL_SECONDS = 86_400;
export const MAX_URL_LENGTH = 2_000;

const text = (name: string, max: number) =>
  z
    .string({ error: `${name} must be a string` })
    .trim()
    .min(1, `${name} must not be empty`)
    .max(max, `${name} must be at most ${max} characters`)
    .refine(isStorableText, `${name} must be text without NUL`);

/** Absolute http or https, no user info: `javascript:`, `data:` and `file:` are refused (spec section 7). */
const redirectUrl = (name: string) =>
  z
    .string({ error: `${name} must be a string` })
    .max(MAX_URL_LENGTH, `${name} must be at most ${MAX_URL_LENGTH} characters`)
    .refine(isRedirectUrl, `${name} must be an absolute http or https URL`);

export function isRedirectUrl(value: string): boolean {
  if (!isStorableText(value) || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
}

const amountInput = z
  .union([z.number(), z.string()], { error: 'amount must be a number' })
  .transform((input, context) => {
    const amount = parseAmount(input);
    if (amount === undefined) {
      context.addIssue({ code: 'custom', message: 'amount must be a number with at most two decimals' });
      return z.NEVER;
    }
    if (amount <= 0n || amount > MAX_INTENT_AMOUNT) {
      context.addIssue({ code: 'custom', message: 'amount must be more than 0 and at most 9999999.99' });
      return z.NEVER;
    }
    return amount;
  });

/** Body of POST /v1/payments/intents (spec section 2.1). Parsing yields canonical parameters: aliases and defaults applied. */
export const createIntentRequestSchema = z.object({
  amount: amountInput,
  idempotencyKey: z
    .string({ error: 'idempotencyKey is required and must be a string' })
    .min(1, 'idempotencyKey must not be empty')
    .max(255, 'idempotencyKey must be at most 255 characters')
    .refine(isStorableText, 'idempotencyKey must be text without NUL'),
  currency: z.literal('BDT', { error: 'currency must be BDT' }).default('BDT'),
  merchantReference: text('merchantReference', 255).nullish(),
  customerReference: z
    .string({ error: 'customerReference must be a string' })
    .trim()
    .refine(
      isCustomerReference,
      'customerReference must be 1 to 16 letters, digits, spaces or -_./# with at least one letter or digit',
    )
    .nullish(),
  paymentMethod: z
    .string({ error: 'paymentMethod must be a string' })
    .refine((method) => paymentMethodInputSchema.safeParse(method).success, {
      error: `paymentMethod must be one of ${paymentMethodSchema.options.join(', ')} or its lower-case alias`,
      abort: true,
    })
    .pipe(paymentMethodInputSchema)
    .nullish(),
  language: z.enum(['en', 'bn'], { error: 'language must be en or bn' }).nullish(),
  customerId: text('customerId', 255).nullish(),
  expectedSenderMsisdn: text('expectedSenderMsisdn', 20).nullish(),
  expectedTrxId: trxIdInputSchema.nullish(),
  ttlSeconds: z
    .int({ error: 'ttlSeconds must be a whole number of seconds' })
    .min(MIN_TTL_SECONDS, `ttlSeconds must be at least ${MIN_TTL_SECONDS}`)
    .max(MAX_TTL_SECONDS, `ttlSeconds must be at most ${MAX_TTL_SECONDS}`)
    .default(DEFAULT_TTL_SECONDS),
  successUrl: redirectUrl('successUrl').nullish(),
  failedUrl: redirectUrl('failedUrl').nullish(),
  cancelUrl: redirectUrl('cancelUrl').nullish(),
  expiredUrl: redirectUrl('expiredUrl').nullish(),
  metadata: z
    .record(
      z.string().min(1).max(40, 'metadata keys must be at most 40 characters').refine(isStorableText),
      z
        .string({ error: 'metadata values must be strings' })
        .max(500, 'metadata values must be at most 500 characters')
        .refine(isStorableText, 'metadata values must be text without NUL'),
      { error: 'metadata must be a flat object of strings' },
    )
    .refine((pairs) => Object.keys(pairs).length <= 20, 'metadata must have at most 20 pairs')
    .nullish(),
});
export type CreateIntentRequest = z.infer<typeof createIntentRequestSchema>;

/** An intent as the merchant API answers it (spec section 2.1, with additions). */
export const intentResponseSchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  amount: z.string(),
  currency: z.literal('BDT'),
  status: intentStatusSchema,
  customerReference: z.string(),
  merchantReference: z.string().nullable(),
  paymentMethod: paymentMethodSchema.nullable(),
  receiverMsisdn: z.string().nullable(),
  checkoutUrl: z.string(),
  expiresAt: z.string(),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
});
export type IntentResponse = z.infer<typeof intentResponseSchema>;
