import { z } from 'zod';
import { environmentSchema } from '../environment';
import { authenticitySchema, smsDirectionSchema, smsSignalSchema } from '../events/sms-events';
import { paymentMethodSchema } from '../payment-method';
import { matchStatusSchema, smsStatusSchema } from '../status';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, pageQuerySchema } from './pagination';
import { withParsedNames } from './parsed-names';
import { requestBody } from './request-body';
import { factTimeText } from './request-values';
import { smsMatchSchema } from './sandbox';
import { environmentOrSandbox, oneOf, timestamp, uuidText, yesOrNo } from './request-fields';

/** `total` of SMS events is exact up to this number. */
export const MAX_COUNTED_SMS_EVENTS = 10_000;

/** Providers whose texts are recognised. Only those of bKash and Nagad ever confirm a payment. */
export const textProviderSchema = z.enum(['BKASH', 'NAGAD', 'ROCKET', 'UPAY']);
export type TextProvider = z.infer<typeof textProviderSchema>;

/** Query of GET /v1/dashboard/sms. */
export const smsEventListQuerySchema = z.object({
  environment: environmentOrSandbox.describe('SANDBOX and LIVE are never listed together. Default: SANDBOX.'),
  status: oneOf('status', smsStatusSchema.options).optional(),
  provider: oneOf('provider', textProviderSchema.options).optional(),
  deviceId: uuidText('deviceId').optional(),
  receiverAccountId: uuidText('receiverAccountId').optional(),
  ingestedFrom: factTimeText('ingestedFrom').optional().describe('Stored at this time or later.'),
  ingestedTo: factTimeText('ingestedTo').optional().describe('Stored before this time.'),
  limit: pageQuerySchema.shape.limit,
  after: z
    .uuid({ error: 'after must be the nextCursor of a page' })
    .toLowerCase()
    .optional()
    .describe('`nextCursor` of the previous page. New SMS do not shift the following pages.'),
});
export type SmsEventListQuery = z.infer<typeof smsEventListQuerySchema>;

/** Query of sms-ingest's `GET /internal/v1/sms-events`: the same with the merchant. */
export const internalSmsEventListQuerySchema = smsEventListQuerySchema.extend({ merchantId: z.uuid() });

/** One SMS in sms-ingest's list, with what the parser read. The text itself is not part of it. */
export const internalSmsSummarySchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  deviceId: z.uuid(),
  receiverAccountId: z.uuid().nullable(),
  receiverMsisdn: z.string().nullable(),
  /** Of a phone number only the last digits. */
  sender: z.string(),
  provider: z.string().nullable(),
  kind: z.string().nullable(),
  direction: smsDirectionSchema.nullable(),
  paymentMethod: paymentMethodSchema.nullable(),
  amount: z.string().nullable(),
  trxId: z.string().nullable(),
  reference: z.string().nullable(),
  senderMsisdn: z.string().nullable(),
  receivedAt: timestamp,
  ingestedAt: timestamp,
  status: smsStatusSchema,
  /** Null: not decided yet. */
  matchStatus: matchStatusSchema.nullable(),
  paymentIntentId: z.uuid().nullable(),
  /** Why it is UNPARSED or refused. */
  failureReason: z.string().nullable(),
});
export type InternalSmsSummary = z.infer<typeof internalSmsSummarySchema>;

export const smsEventSummarySchema = z
  .object(withParsedNames(internalSmsSummarySchema.shape))
  .meta({ id: 'SmsEventSummary' });
export type SmsEventSummary = z.infer<typeof smsEventSummarySchema>;

export const smsEventPageSchema = z.object({
  data: z.array(smsEventSummarySchema),
  /** Exact up to 10,000. */
  total: z.int().nonnegative(),
  totalIsExact: z.boolean(),
  /** Cursor of the next page; null at the end. A page with fewer rows than `limit` may have a next page. */
  nextCursor: z.string().nullable(),
  limit: z.int().positive().max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
});

/** sms-ingest `GET /internal/v1/sms-events`. */
export const internalSmsEventPageSchema = smsEventPageSchema.extend({ data: z.array(internalSmsSummarySchema) });
export type InternalSmsEventPage = z.infer<typeof internalSmsEventPageSchema>;

/** sms-ingest `GET /internal/v1/sms-events/:id`. */
export const smsEventFactsSchema = internalSmsSummarySchema.extend({
  fee: z.string().nullable(),
  commission: z.string().nullable(),
  balance: z.string().nullable(),
  recipientMsisdn: z.string().nullable(),
  /** The provider's time, to the minute. */
  providerTime: timestamp.nullable(),
  simSlot: z.int().nullable(),
  parserVersion: z.string(),
  /** Null for older SMS. */
  authenticity: authenticitySchema.nullable(),
  signals: z.array(smsSignalSchema),
  /** Whether the text is still stored; retention deletes it before the values. */
  hasText: z.boolean(),
  /** Whether it was reported as an unknown format. */
  reportedAt: timestamp.nullable(),
});
export type SmsEventFacts = z.infer<typeof smsEventFactsSchema>;

/** GET /v1/dashboard/sms/:id */
export const smsEventDetailsSchema = z
  .object({
    ...withParsedNames(smsEventFactsSchema.shape),
    /** Null while the SMS is not decided, and for texts that are no evidence. */
    match: smsMatchSchema.nullable(),
    /** Parts that are temporarily unavailable. */
    missing: z.array(z.enum(['match'])),
  })
  .meta({ id: 'SmsEventDetails' });
export type SmsEventDetails = z.infer<typeof smsEventDetailsSchema>;

/** The meaning of a part of a text. */
export const textPartNameSchema = z.enum([
  'amount',
  'fee',
  'commission',
  'balance',
  'trxId',
  'reference',
  'senderMsisdn',
  'recipientMsisdn',
  'providerTime',
]);
export type TextPartName = z.infer<typeof textPartNameSchema>;

/** GET /v1/dashboard/sms/:id/text */
export const smsEventTextSchema = z
  .object({
    /** Null if it is not shown. */
    message: z.string().nullable(),
    /** Why it is not shown: retention has deleted it, or it contains a one-time password. */
    hidden: z.enum(['deleted', 'one_time_password']).nullable(),
    /** Where the parsed values are in the message, in UTF-16 code units, in order and without overlap. */
    parts: z.array(z.object({ name: textPartNameSchema, from: z.int().nonnegative(), to: z.int().positive() })),
  })
  .meta({ id: 'SmsEventText' });
export type SmsEventText = z.infer<typeof smsEventTextSchema>;
export type TextPart = SmsEventText['parts'][number];

/** Body of POST /v1/dashboard/sms/:id/reparse. */
export const reparseOneRequestSchema = requestBody({
  dryRun: yesOrNo('dryRun').default(true).describe('Default true: return the changes without applying them'),
});

/** The values that a parser read from a text, in answers of sms-ingest. */
export const internalSmsReadingSchema = smsEventFactsSchema.pick({
  status: true,
  failureReason: true,
  provider: true,
  kind: true,
  direction: true,
  paymentMethod: true,
  amount: true,
  fee: true,
  commission: true,
  balance: true,
  trxId: true,
  reference: true,
  senderMsisdn: true,
  recipientMsisdn: true,
  providerTime: true,
  receiverAccountId: true,
});
export type InternalSmsReading = z.infer<typeof internalSmsReadingSchema>;
export const smsReadingSchema = z.object(withParsedNames(internalSmsReadingSchema.shape));
export type SmsReading = z.infer<typeof smsReadingSchema>;

/** Result of parsing one SMS again. */
export const reparseOneResponseSchema = z
  .object({
    dryRun: z.boolean(),
    /**
     * `decided`: it is not UNPARSED any more, or a person has decided. `text_deleted`: retention has deleted the text.
     * `unknown_device`: its device is deleted. `repeat`: another SMS with the same text was parsed. `failed`: the
     * result cannot be stored.
     */
    outcome: z.enum(['changed', 'unchanged', 'decided', 'text_deleted', 'unknown_device', 'repeat', 'failed']),
    before: smsReadingSchema,
    /** Only for the outcome `changed`. */
    after: smsReadingSchema.nullable(),
  })
  .meta({ id: 'SmsReparse' });
export type ReparseOneResponse = z.infer<typeof reparseOneResponseSchema>;

/** sms-ingest `POST /internal/v1/sms-events/:id/reparse`. */
export const internalReparseOneResponseSchema = reparseOneResponseSchema.extend({
  before: internalSmsReadingSchema,
  after: internalSmsReadingSchema.nullable(),
});
export type InternalReparseOneResponse = z.infer<typeof internalReparseOneResponseSchema>;
