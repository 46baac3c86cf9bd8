import { z } from 'zod';
import { intentSnapshotSchema } from '../intent';
import { matchPathSchema } from '../status';

/** The decision behind a status change, as far as webhooks and copies need it. */
export const intentDecisionSchema = z.object({
  matchId: z.uuid(),
  path: matchPathSchema.nullable(),
  reason: z.string(),
  decidedBy: z.string(),
  smsEventId: z.uuid().nullable(),
  trxId: z.string().nullable(),
  receivedAmount: z.string().nullable(),
});

/** `intent.created`, `intent.method_selected`, and `intent.expiry_moved`, which a SANDBOX test clock alone causes. */
export const intentStateV1 = z.object({ intent: intentSnapshotSchema });

/** `intent.paid`, `.review_required`, `.expired`, `.rejected`, `.failed`. aggregateId = intent id. */
export const intentOutcomeV1 = z.object({ intent: intentSnapshotSchema, decision: intentDecisionSchema });
export type IntentOutcome = z.infer<typeof intentOutcomeV1>;
