import { z } from 'zod';
import { environmentSchema } from '../environment';
import { paymentMethodSchema } from '../payment-method';
import { smsStatusSchema } from '../status';
import { requestBody } from './request-body';
import { factTimeText } from './request-values';

/** Texts that one request looks at. */
export const MAX_REPARSED_SMS = 500;

const instant = (field: string) => factTimeText(field).optional();

/** Which UNPARSED texts are read again, and whether anything comes of it. */
const which = {
  dryRun: z
    .boolean({ error: 'dryRun must be true or false' })
    .default(true)
    .describe('true, the default: only say what would change'),
  since: instant('since').describe('Texts that came in at this time or later'),
  until: instant('until').describe('Texts that came in before this time'),
  reason: z
    .string({ error: 'reason must be a string' })
    .regex(/^[a-z_]{1,60}$/, 'reason must be the failureReason of texts, such as unsupported_format')
    .optional()
    .describe('Texts that were not understood for this reason'),
  limit: z
    .int({ error: 'limit must be a whole number' })
    .min(1, 'limit must be at least 1')
    .max(MAX_REPARSED_SMS, `limit must be at most ${MAX_REPARSED_SMS}`)
    .default(100)
    .describe('Texts that are looked at'),
  after: z
    .uuid({ error: 'after must be a UUID: the `next` of another answer' })
    .optional()
    .describe('The `next` of the answer before: where to go on'),
};

/** sms-ingest `POST /internal/v1/sms-events/reparse`; whose texts is in the tenant headers. */
export const internalReparseRequestSchema = requestBody(which);
export type InternalReparseRequest = z.infer<typeof internalReparseRequestSchema>;

/** Body of POST /v1/dashboard/sms-events/reparse. */
export const reparseRequestSchema = requestBody({
  environment: z.enum(environmentSchema.options, { error: 'environment is required and must be SANDBOX or LIVE' }),
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

/** What reading texts again has changed, or would change. Neither texts nor numbers are in it. */
export const reparseResponseSchema = z
  .object({
    dryRun: z.boolean(),
    examined: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    /** By what kept them from being read: retention deleted the text, its phone is gone, it is a repeat of another, it cannot be stored. */
    skipped: z.object({ textDeleted: z.int(), unknownDevice: z.int(), repeat: z.int(), failed: z.int() }),
    changes: z.array(
      z.object({
        id: z.uuid(),
        receivedAt: z.iso.datetime({ offset: true }),
        before: readingSchema,
        after: readingSchema,
      }),
    ),
    /** Where the next request goes on; null when these were the last. */
    next: z.uuid().nullable(),
  })
  .meta({ id: 'ReparseReport' });
export type ReparseReport = z.infer<typeof reparseResponseSchema>;
