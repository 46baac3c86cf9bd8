import { z } from 'zod';
import { environmentSchema } from '../environment';
import { authenticitySchema, smsSignalSchema } from '../events/sms-events';
import { paymentMethodSchema, providerSchema } from '../payment-method';
import { ERRORS, type ErrorCode } from '../errors';
import { DOUBTS_TO_ACKNOWLEDGE } from '../match-reasons';
import { checksSchema, CHECK_NAMES, intentStatusSchema, matchPathSchema, matchStatusSchema } from '../status';
import { pageQuerySchema } from './pagination';
import { requestBody } from './request-body';
import {
  amountFilter,
  environmentFilter,
  instantFilter,
  oneOf,
  pageCursor,
  personsReason,
  reasonFilter,
  timestamp,
  uuidText,
} from './request-fields';

/** `total` is exact up to this number; use `after` to read further. */
export const MAX_COUNTED_EXCEPTIONS = 10_000;

/** Kinds of exceptions. */
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

/** Query of GET /v1/dashboard/exceptions. */
export const exceptionListQuerySchema = pageQuerySchema.extend({
  environment: environmentFilter,
  status: z.enum(exceptionStatusSchema.options, { error: 'status must be OPEN or CLOSED' }).default('OPEN'),
  kind: oneOf('kind', exceptionKindSchema.options).optional().describe('Only for open exceptions.'),
  reason: reasonFilter('reason must be an exception reason such as late_payment'),
  assigneeId: uuidText('assigneeId').optional(),
  receiverAccountId: uuidText('receiverAccountId').optional(),
  amountFrom: amountFilter('amountFrom'),
  amountTo: amountFilter('amountTo'),
  createdFrom: instantFilter('createdFrom'),
  createdTo: instantFilter('createdTo'),
  order: z.enum(['newest', 'oldest'], { error: 'order must be newest or oldest' }).default('newest'),
  after: pageCursor.describe(
    '`nextCursor` of the previous page. Decisions made in between do not shift the following pages.',
  ),
});
export type ExceptionListQuery = z.infer<typeof exceptionListQuerySchema>;

/** Query of reconciler's `GET /internal/v1/exceptions`: the same with the tenant. */
export const internalExceptionListQuerySchema = exceptionListQuerySchema.extend({ merchantId: z.uuid() });

/** An exception that a reviewer decides: one SMS with its possible intents, or one claim of a used TrxID. */
export const exceptionResponseSchema = z
  .object({
    id: z.uuid(),
    environment: environmentSchema,
    status: exceptionStatusSchema,
    /** Null after it is closed. */
    kind: exceptionKindSchema.nullable(),
    matchStatus: matchStatusSchema,
    reason: z.string(),
    path: matchPathSchema.nullable(),
    checks: checksSchema.nullable(),
    /** Violations of the merchant's rules. */
    doubts: z.array(z.string()),
    /** The doubts as sentences, one per signal. */
    explanations: z.array(z.string()).default([]),
    /** For a late payment: whether the payment time in the SMS is before expiry. */
    paidInTime: z.boolean().nullable(),
    expectedAmount: z.string().nullable(),
    receivedAmount: z.string().nullable(),
    smsEventId: z.uuid(),
    /** The parsed fields; null if the SMS is UNPARSED. */
    money: z
      .object({
        provider: providerSchema,
        paymentMethod: paymentMethodSchema,
        trxId: z.string(),
        /** Normalised: without case, spaces and dashes. */
        reference: z.string().nullable(),
        receiverAccountId: z.uuid().nullable(),
        receiverMsisdn: z.string().nullable(),
        payerMsisdn: z.string().nullable(),
        providerTime: timestamp,
        ingestedAt: timestamp,
        /** Authenticity of the sender; null for older SMS. */
        authenticity: authenticitySchema.nullable().default(null),
        signals: z.array(smsSignalSchema),
      })
      .nullable(),
    /** Of a `disputed_trx_id`: the refused claim of `paymentIntentId`. Null for other kinds. */
    dispute: z
      .object({
        claimSubmittedAt: timestamp,
        paidIntentId: z.uuid(),
        /** Null if the intent was paid without a claim, for example by linking. */
        paidClaimSubmittedAt: timestamp.nullable(),
        /** Masked. */
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
  /** Cursor of the next page; null at the end. A page with fewer rows than `limit` may have a next page. */
  nextCursor: z.string().nullable().default(null),
  page: z.int().positive(),
  limit: z.int().positive(),
});
export type ExceptionPage = z.infer<typeof exceptionPageSchema>;

/** An intent that an SMS may pay. */
export const matchCandidateSchema = z.object({
  paymentIntentId: z.uuid(),
  path: matchPathSchema,
  reason: z.string(),
  failedRules: z.array(z.enum(CHECK_NAMES)),
  /** All doubts about this intent; the reason may be another one. A reconciler of the version before sends none. */
  doubts: z.array(z.string()).default([]),
  intent: z
    .object({ status: intentStatusSchema, amount: z.string(), createdAt: timestamp, expiresAt: timestamp })
    .nullable(),
});
export type MatchCandidate = z.infer<typeof matchCandidateSchema>;

export const suggestionKindSchema = z.enum([
  'reference_misspelt',
  'amount_fits',
  'parts_add_up',
  'already_paid',
  'no_intent',
]);

/** A hint for reviewers; it is never applied automatically. */
export const suggestionSchema = z.object({
  kind: suggestionKindSchema,
  sentence: z.string(),
  /** Values in the sentence, for other languages. */
  values: z
    .object({
      amount: z.string(),
      reference: z.string(),
      /** As the text has it. */
      writtenReference: z.string(),
      /** Amounts of several texts. */
      parts: z.array(z.string()),
    })
    .partial(),
  paymentIntentIds: z.array(z.uuid()),
  smsEventIds: z.array(z.uuid()),
});
export type Suggestion = z.infer<typeof suggestionSchema>;

export const reviewActionNameSchema = z.enum(['resolve', 'link', 'reject', 'refunded', 'not-ours', 'reopen', 'assign']);
export type ReviewActionName = z.infer<typeof reviewActionNameSchema>;

export const exceptionDetailsSchema = exceptionResponseSchema
  .extend({
    candidates: z.array(matchCandidateSchema),
    suggestions: z.array(suggestionSchema),
    /** Actions of reviewers, oldest first. */
    actions: z.array(
      z.object({ id: z.uuid(), action: reviewActionNameSchema, by: z.uuid(), note: z.string(), at: timestamp }),
    ),
  })
  .meta({ id: 'ExceptionDetails' });
export type ExceptionDetails = z.infer<typeof exceptionDetailsSchema>;

const acknowledgement = (field: string, what: string) =>
  z
    .literal(true, { error: `${field} must be true or absent` })
    .optional()
    .describe(what);

/** Fields of every action; `requestId` makes it idempotent. */
const reasonFields = {
  reason: personsReason,
  requestId: uuidText('requestId')
    .optional()
    .describe('A repeated request with the same id is applied once and returns the same response.'),
};

const acknowledged = {
  acknowledgeAmountDifference: acknowledgement(
    'acknowledgeAmountDifference',
    'Accepts a payment whose amount differs. Requires expectedAmount and receivedAmount.',
  ),
  expectedAmount: amountFilter('expectedAmount').describe('With acknowledgeAmountDifference: amount of the intent.'),
  receivedAmount: amountFilter('receivedAmount').describe('With acknowledgeAmountDifference: amount received.'),
  acknowledgeMethodMismatch: acknowledgement(
    'acknowledgeMethodMismatch',
    'Accepts a payment with a method that was not shown for the intent.',
  ),
  acknowledgeReceiverMismatch: acknowledgement(
    'acknowledgeReceiverMismatch',
    'Accepts a payment to a number that was not shown for the intent.',
  ),
  acknowledgeReferenceMismatch: acknowledgement(
    'acknowledgeReferenceMismatch',
    'Accepts a payment whose SMS contains the reference of another unpaid intent.',
  ),
  acknowledgeDoubts: z
    .array(
      z.enum(DOUBTS_TO_ACKNOWLEDGE, {
        error: `acknowledgeDoubts must contain only ${DOUBTS_TO_ACKNOWLEDGE.join(', ')}`,
      }),
      { error: 'acknowledgeDoubts must be an array or absent' },
    )
    .optional()
    .describe(
      'Accepts a payment although it is doubtful who has paid: every such doubt, by name. With link: the doubts about the text, and those of the candidate that is linked.',
    ),
};

/** Bodies of POST /v1/dashboard/exceptions/:id/{resolve,link,reject,refunded,not-ours,reopen,assign}. */
export const resolveExceptionRequestSchema = requestBody({ ...reasonFields, ...acknowledged });
export const linkExceptionRequestSchema = requestBody({
  ...reasonFields,
  ...acknowledged,
  paymentIntentId: uuidText('paymentIntentId', 'paymentIntentId is required and must be a UUID'),
});
export const rejectExceptionRequestSchema = requestBody({
  ...reasonFields,
  paymentIntentId: uuidText('paymentIntentId')
    .optional()
    .describe('An intent in review that the exception leads or has led to. Default: the intent of the exception.'),
});
export const closeExceptionRequestSchema = requestBody(reasonFields);
export const assignExceptionRequestSchema = requestBody({
  ...reasonFields,
  assigneeId: z
    .uuid({ error: 'assigneeId is required and must be a UUID or null' })
    .toLowerCase()
    .nullable()
    .describe('A user of the merchant with permission to decide; null removes the assignment.'),
});

const acting = { requestId: z.uuid(), reason: personsReason };

/** reconciler `POST /internal/v1/exceptions/:id/actions`; the acting person is in X-Actor. Idempotent by requestId. */
export const reviewActionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('resolve'), ...acting, ...acknowledged }),
  z.object({ action: z.literal('link'), ...acting, ...acknowledged, paymentIntentId: z.uuid().toLowerCase() }),
  z.object({ action: z.literal('reject'), ...acting, paymentIntentId: z.uuid().toLowerCase().optional() }),
  z.object({ action: z.literal('refunded'), ...acting }),
  z.object({ action: z.literal('not-ours'), ...acting }),
  z.object({ action: z.literal('reopen'), ...acting }),
  z.object({ action: z.literal('assign'), ...acting, assigneeId: z.uuid().nullable() }),
]);
export type ReviewAction = z.infer<typeof reviewActionSchema>;

/** The exception afterwards, and the reason if the action was not applied. */
export const reviewAnswerSchema = z.object({
  refusal: z.object({ code: z.enum(Object.keys(ERRORS) as [ErrorCode]), message: z.string() }).nullable(),
  item: exceptionDetailsSchema,
});
export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>;
