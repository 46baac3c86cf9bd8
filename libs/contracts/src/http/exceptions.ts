import { z } from 'zod';
import { environmentSchema } from '../environment';
import { authenticitySchema, smsSignalSchema } from '../events/sms-events';
import { formatAmount, parseAmount } from '../money';
import { paymentMethodSchema, providerSchema } from '../payment-method';
import { ERRORS, type ErrorCode } from '../errors';
import { checksSchema, CHECK_NAMES, intentStatusSchema, matchPathSchema, matchStatusSchema } from '../status';
import { pageQuerySchema } from './pagination';
import { requestBody } from './request-body';
import { boundedText, factTimeText } from './request-values';

/** As parseAmount reads it. Example: "500.50". */
const AMOUNT = /^\d{1,15}(?:\.\d{1,2})?$/;
const timestamp = z.iso.datetime({ offset: true });
const MAX_REASON_LENGTH = 500;
/** Where a page of exceptions ended: its time in microseconds, and its id. */
const CURSOR = /^\d{1,16}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A list says exactly how many there are up to here. Those behind are reached by `after`. */
export const MAX_COUNTED_EXCEPTIONS = 10_000;

/** What somebody has to look at, by what is wrong with it. */
export const exceptionKindSchema = z
  .enum([
    'amount_differs',
    'late_payment',
    'paid_twice',
    'intent_closed',
    'went_elsewhere',
    'doubtful',
    'no_intent',
    'method_not_allowed',
    'unparsed',
    'disputed_trx_id',
  ])
  .meta({ id: 'ExceptionKind' });
export type ExceptionKind = z.infer<typeof exceptionKindSchema>;

export const exceptionStatusSchema = z.enum(['OPEN', 'CLOSED']).meta({ id: 'ExceptionStatus' });
export type ExceptionStatus = z.infer<typeof exceptionStatusSchema>;

const amountFilter = (field: string) =>
  z
    .string({ error: `${field} must be an amount in BDT` })
    .regex(AMOUNT, `${field} must be an amount in BDT, such as 500 or 500.50`)
    .transform((text) => formatAmount(parseAmount(text) ?? 0n))
    .optional();

const instantFilter = (field: string) => factTimeText(field).optional();

/** Query of GET /v1/dashboard/exceptions. */
export const exceptionListQuerySchema = pageQuerySchema.extend({
  environment: z.enum(environmentSchema.options, { error: 'environment must be SANDBOX or LIVE' }).optional(),
  status: z.enum(exceptionStatusSchema.options, { error: 'status must be OPEN or CLOSED' }).default('OPEN'),
  kind: z
    .enum(exceptionKindSchema.options, { error: `kind must be one of ${exceptionKindSchema.options.join(', ')}` })
    .optional()
    .describe('Of those that are open.'),
  reason: z
    .string({ error: 'reason must be a string' })
    .regex(/^[a-z_]{1,60}$/, 'reason must be a reason of exceptions, such as late_payment')
    .optional(),
  assigneeId: z.uuid({ error: 'assigneeId must be a UUID' }).optional(),
  receiverAccountId: z.uuid({ error: 'receiverAccountId must be a UUID' }).optional(),
  amountFrom: amountFilter('amountFrom'),
  amountTo: amountFilter('amountTo'),
  createdFrom: instantFilter('createdFrom'),
  createdTo: instantFilter('createdTo'),
  order: z.enum(['newest', 'oldest'], { error: 'order must be newest or oldest' }).default('newest'),
  after: z
    .string({ error: 'after must be the nextCursor of a page' })
    .regex(CURSOR, 'after must be the nextCursor of a page')
    .optional()
    .describe('`nextCursor` of the page before. What is decided meanwhile moves nothing on the pages behind.'),
});
export type ExceptionListQuery = z.infer<typeof exceptionListQuerySchema>;

/** Query of reconciler's `GET /internal/v1/exceptions`: the same, and whose. */
export const internalExceptionListQuerySchema = exceptionListQuerySchema.extend({ merchantId: z.uuid() });

/** Something that a person has to decide, or has decided: one SMS and what it leads to, or one claim of a TrxID that was used. */
export const exceptionResponseSchema = z
  .object({
    id: z.uuid(),
    environment: environmentSchema,
    status: exceptionStatusSchema,
    /** Null once it is closed. */
    kind: exceptionKindSchema.nullable(),
    matchStatus: matchStatusSchema,
    reason: z.string(),
    path: matchPathSchema.nullable(),
    checks: checksSchema.nullable(),
    /** What the merchant's own rules hold against the text. */
    doubts: z.array(z.string()),
    /** The doubts as sentences, each signal of the text by itself. */
    explanations: z.array(z.string()).default([]),
    /** Of a late payment: whether the money was paid in time, by the provider's time inside the text. */
    paidInTime: z.boolean().nullable(),
    expectedAmount: z.string().nullable(),
    receivedAmount: z.string().nullable(),
    smsEventId: z.uuid(),
    /** What was read from the text; null where it was not understood. */
    money: z
      .object({
        provider: providerSchema,
        paymentMethod: paymentMethodSchema,
        trxId: z.string(),
        /** As it is compared: without case, spaces and dashes. */
        reference: z.string().nullable(),
        receiverAccountId: z.uuid().nullable(),
        receiverMsisdn: z.string().nullable(),
        payerMsisdn: z.string().nullable(),
        providerTime: timestamp,
        ingestedAt: timestamp,
        /** How it is known who sent the text; null for texts from before that was kept. */
        authenticity: authenticitySchema.nullable().default(null),
        signals: z.array(smsSignalSchema),
      })
      .nullable(),
    /** Of a `disputed_trx_id`: `paymentIntentId` claimed a TrxID that had paid another intent by a claim. Null for all others. */
    dispute: z
      .object({
        claimSubmittedAt: timestamp,
        paidIntentId: z.uuid(),
        /** Null when the intent was paid without a claim of its own, as when a person linked the money. */
        paidClaimSubmittedAt: timestamp.nullable(),
        /** With most digits hidden. */
        payerMsisdn: z.string().nullable(),
      })
      .nullable()
      .default(null),
    paymentIntentId: z.uuid().nullable(),
    intentStatus: intentStatusSchema.nullable(),
    assigneeId: z.uuid().nullable(),
    resolvedBy: z.uuid().nullable(),
    resolutionNote: z.string().nullable(),
    createdAt: timestamp,
    resolvedAt: timestamp.nullable(),
  })
  .meta({ id: 'Exception' });
export type ExceptionResponse = z.infer<typeof exceptionResponseSchema>;

export const exceptionPageSchema = z.object({
  data: z.array(exceptionResponseSchema),
  /** Exact up to 10,000. */
  total: z.int().nonnegative(),
  totalIsExact: z.boolean(),
  /** Leads to what is behind this page; null at the end. A page with fewer rows than `limit` may still have one behind it. */
  nextCursor: z.string().nullable().default(null),
  page: z.int().positive(),
  limit: z.int().positive(),
});
export type ExceptionPage = z.infer<typeof exceptionPageSchema>;

const candidateIntent = z.object({
  status: intentStatusSchema,
  amount: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
});

export const suggestionKindSchema = z.enum([
  'reference_misspelt',
  'amount_fits',
  'parts_add_up',
  'already_paid',
  'no_intent',
]);

/** Something a person may want to look at. It carries no weight and nothing is done about it by itself. */
export const suggestionSchema = z.object({
  kind: suggestionKindSchema,
  sentence: z.string(),
  paymentIntentIds: z.array(z.uuid()),
  smsEventIds: z.array(z.uuid()),
});
export type Suggestion = z.infer<typeof suggestionSchema>;

export const reviewActionNameSchema = z.enum(['resolve', 'link', 'reject', 'refunded', 'not-ours', 'reopen', 'assign']);
export type ReviewActionName = z.infer<typeof reviewActionNameSchema>;

export const exceptionDetailsSchema = exceptionResponseSchema
  .extend({
    candidates: z.array(
      z.object({
        paymentIntentId: z.uuid(),
        path: matchPathSchema,
        reason: z.string(),
        failedRules: z.array(z.enum(CHECK_NAMES)),
        intent: candidateIntent.nullable(),
      }),
    ),
    suggestions: z.array(suggestionSchema),
    /** What people have done about it, oldest first. */
    actions: z.array(
      z.object({ id: z.uuid(), action: reviewActionNameSchema, by: z.uuid(), note: z.string(), at: timestamp }),
    ),
  })
  .meta({ id: 'ExceptionDetails' });
export type ExceptionDetails = z.infer<typeof exceptionDetailsSchema>;

const reason = boundedText('reason', {
  max: MAX_REASON_LENGTH,
  missing: 'reason is required and must be a string',
  trimmed: true,
});

const acknowledgement = (field: string, what: string) =>
  z
    .literal(true, { error: `${field} must be true or absent` })
    .optional()
    .describe(what);

const amountEcho = (field: string) =>
  z
    .string({ error: `${field} must be an amount in BDT` })
    .regex(AMOUNT, `${field} must be an amount in BDT, such as 500 or 500.50`)
    .transform((text) => formatAmount(parseAmount(text) ?? 0n))
    .optional();

/** What every action says: why, and under which id it is recognised when it is sent again. */
const told = {
  reason,
  requestId: z
    .uuid({ error: 'requestId must be a UUID' })
    .optional()
    .describe('Sent again with the same id, an action is done once and answered alike.'),
};

const acknowledged = {
  acknowledgeAmountDifference: acknowledgement(
    'acknowledgeAmountDifference',
    'The amounts differ and the payment counts all the same. Needs both amounts.',
  ),
  expectedAmount: amountEcho('expectedAmount').describe('With acknowledgeAmountDifference: what the intent asks for.'),
  receivedAmount: amountEcho('receivedAmount').describe('With acknowledgeAmountDifference: what came in.'),
  acknowledgeMethodMismatch: acknowledgement(
    'acknowledgeMethodMismatch',
    'It came by a method the intent never showed.',
  ),
  acknowledgeReceiverMismatch: acknowledgement(
    'acknowledgeReceiverMismatch',
    'It came in on a number the intent never showed.',
  ),
  acknowledgeReferenceMismatch: acknowledgement(
    'acknowledgeReferenceMismatch',
    'The text names another intent that is still to be paid.',
  ),
};

const chosenIntent = (missing: string) => z.uuid({ error: missing });

/** Bodies of POST /v1/dashboard/exceptions/:id/{resolve,link,reject,refunded,not-ours,reopen,assign}. */
export const resolveExceptionRequestSchema = requestBody({ ...told, ...acknowledged });
export const linkExceptionRequestSchema = requestBody({
  ...told,
  ...acknowledged,
  paymentIntentId: chosenIntent('paymentIntentId is required and must be a UUID'),
});
export const rejectExceptionRequestSchema = requestBody({
  ...told,
  paymentIntentId: chosenIntent('paymentIntentId must be a UUID')
    .optional()
    .describe('An intent that this was a candidate for and that is left in review; without it, the one it is about.'),
});
export const closeExceptionRequestSchema = requestBody(told);
export const assignExceptionRequestSchema = requestBody({
  ...told,
  assigneeId: z
    .uuid({ error: 'assigneeId is required and must be a UUID or null' })
    .nullable()
    .describe('A person of the merchant who may decide; null gives it back to all.'),
});

const acting = { requestId: z.uuid(), reason };

/** reconciler `POST /internal/v1/exceptions/:id/actions`; the acting person is in X-Actor. Idempotent by requestId. */
export const reviewActionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('resolve'), ...acting, ...acknowledged }),
  z.object({ action: z.literal('link'), ...acting, ...acknowledged, paymentIntentId: z.uuid() }),
  z.object({ action: z.literal('reject'), ...acting, paymentIntentId: z.uuid().optional() }),
  z.object({ action: z.literal('refunded'), ...acting }),
  z.object({ action: z.literal('not-ours'), ...acting }),
  z.object({ action: z.literal('reopen'), ...acting }),
  z.object({ action: z.literal('assign'), ...acting, assigneeId: z.uuid().nullable() }),
]);
export type ReviewAction = z.infer<typeof reviewActionSchema>;

/** The item as it is then, and why nothing was done if nothing was. */
export const reviewAnswerSchema = z.object({
  refusal: z.object({ code: z.enum(Object.keys(ERRORS) as [ErrorCode]), message: z.string() }).nullable(),
  item: exceptionDetailsSchema,
});
export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>;
