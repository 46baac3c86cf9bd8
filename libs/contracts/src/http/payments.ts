import { z } from 'zod';
import { environmentSchema } from '../environment';
import { intentSnapshotSchema } from '../intent';
import { intentStatusSchema } from '../status';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, pageQuerySchema } from './pagination';
import { paymentMethodInput } from './request-body';
import { boundedText } from './request-values';
import { environmentOrSandbox, instantFilter, oneOf, pageCursor } from './request-fields';

/** `total` is exact up to this number if it must be counted. */
export const MAX_COUNTED_PAYMENTS = 10_000;

/** Query of GET /v1/dashboard/payments. */
export const paymentListQuerySchema = z.object({
  environment: environmentOrSandbox.describe('SANDBOX and LIVE are never listed together. Default: SANDBOX.'),
  status: oneOf('status', intentStatusSchema.options).optional(),
  paymentMethod: paymentMethodInput.optional().meta({ examples: ['BKASH_SEND_MONEY'] }),
  search: boundedText('search', { max: 255, trimmed: true })
    .optional()
    .describe('The reference (ignoring case, spaces and dashes), the merchant reference, or the id of an intent.'),
  createdFrom: instantFilter('createdFrom').describe('Created at this time or later.'),
  createdTo: instantFilter('createdTo').describe('Created at this time or earlier.'),
  limit: pageQuerySchema.shape.limit,
  after: pageCursor.describe('`nextCursor` of the previous page. New intents do not shift the following pages.'),
});
export type PaymentListQuery = z.infer<typeof paymentListQuerySchema>;

/** Query of intent-api's `GET /internal/v1/intents`: the same with the merchant. */
export const internalPaymentListQuerySchema = paymentListQuerySchema.extend({ merchantId: z.uuid() });

export const paymentSummarySchema = intentSnapshotSchema
  .pick({
    id: true,
    amount: true,
    currency: true,
    status: true,
    customerReference: true,
    merchantReference: true,
    paymentMethod: true,
    receiverMsisdn: true,
    createdAt: true,
    expiresAt: true,
    paidAt: true,
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
