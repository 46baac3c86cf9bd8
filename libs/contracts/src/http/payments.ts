import { z } from 'zod';
import { environmentSchema } from '../environment';
import { intentSnapshotSchema } from '../intent';
import { intentStatusSchema } from '../status';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, pageQuerySchema } from './pagination';
import { paymentMethodInput } from './request-body';
import { boundedText, factTimeText } from './request-values';

/** End of a page: creation time in microseconds and id of the last intent. */
const CURSOR = /^\d{1,16}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** `total` is exact up to this number if it must be counted. */
export const MAX_COUNTED_PAYMENTS = 10_000;

const instant = (field: string) => factTimeText(field).optional();

/** Query of GET /v1/dashboard/payments. */
export const paymentListQuerySchema = z.object({
  environment: z
    .enum(environmentSchema.options, { error: 'environment must be SANDBOX or LIVE' })
    .default('SANDBOX')
    .describe('SANDBOX and LIVE are never listed together. Default: SANDBOX.'),
  status: z
    .enum(intentStatusSchema.options, { error: `status must be one of ${intentStatusSchema.options.join(', ')}` })
    .optional(),
  paymentMethod: paymentMethodInput.optional().meta({ examples: ['BKASH_SEND_MONEY'] }),
  search: boundedText('search', { max: 255, trimmed: true })
    .optional()
    .describe('The reference (ignoring case, spaces and dashes), the merchant reference, or the id of an intent.'),
  createdFrom: instant('createdFrom').describe('Created at this time or later.'),
  createdTo: instant('createdTo').describe('Created at this time or earlier.'),
  limit: pageQuerySchema.shape.limit,
  after: z
    .string({ error: 'after must be the nextCursor of a page' })
    .regex(CURSOR, 'after must be the nextCursor of a page')
    .meta({ minLength: 38, maxLength: 53 })
    .optional()
    .describe('`nextCursor` of the previous page. New intents do not shift the following pages.'),
});
export type PaymentListQuery = z.infer<typeof paymentListQuerySchema>;

/** Query of intent-api's `GET /internal/v1/intents`: the same with the merchant. */
export const internalPaymentListQuerySchema = paymentListQuerySchema.extend({ merchantId: z.uuid() });

export const paymentSummarySchema = intentSnapshotSchema
  .pick({
    ...{ id: true, amount: true, currency: true, status: true, customerReference: true, merchantReference: true },
    ...{ paymentMethod: true, receiverMsisdn: true, createdAt: true, expiresAt: true, paidAt: true },
  })
  .meta({ id: 'PaymentSummary' });
export type PaymentSummary = z.infer<typeof paymentSummarySchema>;

export const paymentPageSchema = z.object({
  data: z.array(paymentSummarySchema),
  total: z.int().nonnegative(),
  /** False if more than 10,000 intents match a filter by text or time. */
  totalIsExact: z.boolean(),
  /** Cursor of the next page; null at the end. */
  nextCursor: z.string().nullable(),
  limit: z.int().positive().max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
});
export type PaymentPage = z.infer<typeof paymentPageSchema>;

/** GET /v1/dashboard/payments/:id */
export const paymentResponseSchema = z.object({ environment: environmentSchema, intent: intentSnapshotSchema });
