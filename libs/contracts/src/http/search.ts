import { z } from 'zod';
import { paymentSummarySchema } from './payments';
import { boundedText } from './request-values';
import { environmentOrSandbox } from './request-fields';

/** The field of a payment in which a text was found. */
export const SEARCH_FIELDS = ['id', 'reference', 'merchantReference', 'trxId', 'payer', 'smsId', 'amount'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];
/** Of each field. */
export const MOST_FOUND = 20;
/** Paid payments are searched for an amount among so many of the newest. */
export const MOST_SEARCHED_BY_AMOUNT = 10_000;

/** Query of GET /v1/dashboard/search. */
export const searchQuerySchema = z.object({
  environment: environmentOrSandbox.describe('SANDBOX and LIVE are never searched together. Default: SANDBOX.'),
  text: boundedText('text', { max: 255, trimmed: true, missing: 'text is required and must be a string' }).meta({
    description:
      'The reference (ignoring case, spaces and dashes), merchant reference, TrxID, paying number, amount, or the id of an intent, ' +
      'an SMS or an exception.',
    examples: ['DKL4A1B2C3'],
  }),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

const field = z.enum(SEARCH_FIELDS);
const foundExceptionSchema = z.object({
  id: z.uuid(),
  foundBy: field,
  trxId: z.string().nullable(),
  receivedAmount: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

/** reconciler `GET /internal/v1/search`: what it knows of a text. */
export const foundByReconcilerSchema = z.object({
  intents: z.array(z.object({ id: z.uuid(), foundBy: field })),
  /** Money without an intent that needs a decision. */
  exceptions: z.array(foundExceptionSchema),
});
export type FoundByReconciler = z.infer<typeof foundByReconcilerSchema>;
export const internalSearchQuerySchema = searchQuerySchema.extend({ merchantId: z.uuid() });

/** intent-api `GET /internal/v1/search`: the same text, and ids that others have found. */
export const internalPaymentSearchQuerySchema = internalSearchQuerySchema.extend({
  ids: z
    .string()
    .transform((text) => (text === '' ? [] : text.split(',')))
    .pipe(z.array(z.uuid()).max(6 * MOST_FOUND)),
});
export const foundPaymentSchema = paymentSummarySchema.extend({ foundBy: field });
/** Found by its id: `foundBy` is `id` for all that others have found. */
export const foundPaymentsSchema = z.object({ data: z.array(foundPaymentSchema) });

/** GET /v1/dashboard/search */
export const searchResponseSchema = z
  .object({
    payments: z.array(foundPaymentSchema).describe('Newest first. At most 20 by each field.'),
    exceptions: z.array(foundExceptionSchema).describe('Money without an intent that needs a decision.'),
  })
  .meta({ id: 'SearchResult' });
export type SearchResponse = z.infer<typeof searchResponseSchema>;
