import { z } from 'zod';
import { paymentMethodSchema } from '../payment-method';
import { smsStatusSchema } from '../status';
import { requestBody } from './request-body';
import { instantFilter, reasonFilter, requiredEnvironment, timestamp, wholeNumber, yesOrNo } from './request-fields';

/** Maximum number of SMS per request. */
export const MAX_REPARSED_SMS = 500;

/** Selection of UNPARSED SMS, and whether changes are applied. */
const which = {
  dryRun: yesOrNo('dryRun').default(true).describe('Default true: return the changes without applying them'),
  since: instantFilter('since').describe('Only SMS received at this time or later'),
  until: instantFilter('until').describe('Only SMS received before this time'),
  reason: reasonFilter('reason must be a failureReason such as unsupported_format').describe(
    'Only SMS with this failureReason',
  ),
  limit: wholeNumber('limit', 1, MAX_REPARSED_SMS).default(100).describe('Maximum number of SMS to parse'),
  after: z
    .uuid({ error: 'after must be a UUID: the next of a previous response' })
    .optional()
    .describe('The `next` of the previous response'),
};

/** sms-ingest `POST /internal/v1/sms-events/reparse`; the tenant is in the headers. */
export const internalReparseRequestSchema = requestBody(which);
export type InternalReparseRequest = z.infer<typeof internalReparseRequestSchema>;

/** Body of POST /v1/dashboard/sms-events/reparse. */
export const reparseRequestSchema = requestBody({
  environment: requiredEnvironment,
  ...which,
});

const readingSchema = z.object({
  status: smsStatusSchema,
  reason: z.string().nullable(),
  kind: z.string().nullable(),
  paymentMethod: paymentMethodSchema.nullable(),
  amount: z.string().nullable(),
  receiverAccountId: z.uuid().nullable(),
});

/** Result of parsing again. Contains neither SMS texts nor phone numbers. */
export const reparseResponseSchema = z
  .object({
    dryRun: z.boolean(),
    examined: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    /** By cause: text deleted by retention, device deleted, repeat of another SMS, result cannot be stored. */
    skipped: z.object({ textDeleted: z.int(), unknownDevice: z.int(), repeat: z.int(), failed: z.int() }),
    changes: z.array(
      z.object({
        id: z.uuid(),
        receivedAt: timestamp,
        before: readingSchema,
        after: readingSchema,
      }),
    ),
    /** Value of `after` for the next request; null at the end. */
    next: z.uuid().nullable(),
  })
  .meta({ id: 'ReparseReport' });
export type ReparseReport = z.infer<typeof reparseResponseSchema>;
