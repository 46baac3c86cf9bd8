import { z } from 'zod';
import { environmentSchema } from '../environment';
import { submissionNumbersSchema } from '../events/claim-events';
import {
  apiKeyChangedV1,
  deviceChangedV1,
  merchantChangedV1,
  receiverAccountChangedV1,
} from '../events/directory-events';
import { intentSnapshotSchema } from '../intent';
import { paymentMethodSchema } from '../payment-method';
import { intentStatusSchema } from '../status';
import { timestamp } from './request-fields';

/**
 * The epoch of the responding service, read before the data, so never too high. Absent in responses of the previous
 * version.
 */
const asOfEpoch = { epoch: z.int().nonnegative().nullish() };

/** intent-api `GET /internal/v1/intents/:id`: the committed state, with whom it belongs to. */
export const internalIntentSchema = z.object({
  merchantId: z.uuid(),
  environment: environmentSchema,
  sequence: z.int().positive(),
  ...asOfEpoch,
  intent: intentSnapshotSchema,
  /** TrxID of the payment; null if no SMS has paid. Absent in responses of the previous version. */
  paidTrxId: z.string().nullish(),
});
export type InternalIntent = z.infer<typeof internalIntentSchema>;

/**
 * intent-api `POST /internal/v1/intents/:id/method`: the customer's choice; answers the intent as `InternalIntent`.
 * Idempotent: the method that is chosen already changes nothing. 409 METHOD_FIXED, INTENT_EXPIRED, INTENT_NOT_PENDING;
 * 422 RECEIVER_ACCOUNT_NOT_CONFIGURED.
 */
export const internalChooseMethodRequestSchema = z.object({ paymentMethod: paymentMethodSchema });

/** reconciler `POST /internal/v1/claims`: decide a TrxID claim now. Idempotent by claimId. */
export const decideClaimRequestSchema = z.object({
  claimId: z.uuid(),
  merchantId: z.uuid(),
  environment: environmentSchema,
  paymentIntentId: z.uuid(),
  trxId: z.string(),
  /** Time of arrival of the latest submission. */
  submittedAt: timestamp,
  payerDigits: z.string().nullish(),
  /** Absent in requests of the previous version. */
  submissionNumbers: submissionNumbersSchema.optional(),
  /** The caller's sequence of the intent: an older copy is first refreshed from intent-api. */
  intentSequence: z.int().positive(),
  intentEpoch: z.int().nonnegative().nullish(),
});
export type DecideClaimRequest = z.infer<typeof decideClaimRequestSchema>;

export const claimOutcomeSchema = z.enum([
  'matched',
  'waiting',
  'not_found',
  'amount_mismatch',
  'duplicate_trx_id',
  'intent_expired',
  'intent_not_pending',
  /** Replaced by later claims for the same intent. */
  'dropped',
]);
export type ClaimOutcome = z.infer<typeof claimOutcomeSchema>;

/** `intentStatus` is what the reconciler decided; intent-api may still be about to apply it. */
export const decideClaimResponseSchema = z.object({
  outcome: claimOutcomeSchema,
  smsEventId: z.uuid().nullable(),
  intentStatus: intentStatusSchema,
});
export type DecideClaimResponse = z.infer<typeof decideClaimResponseSchema>;

/**
 * reconciler `POST /internal/v1/intents/:id/expire`: settle an intent whose time is over, if nothing is still waiting
 * for it.
 */
export const expireIntentResponseSchema = z.object({ intentStatus: intentStatusSchema });

/**
 * sms-ingest `GET /internal/v1/undecided` and checkout-api `GET /internal/v1/undecided`: per merchant and environment,
 * when the oldest SMS or claim came in that the reconciler has not decided yet. Expiry waits for these.
 */
export const undecidedSchema = z.object({
  undecided: z.array(z.object({ merchantId: z.uuid(), environment: environmentSchema, oldest: timestamp })),
});
export type Undecided = z.infer<typeof undecidedSchema>;

/**
 * dashboard-api `GET /internal/v1/api-keys/:keyHash` and `/internal/v1/devices/:keyHash`: look up a credential a copy
 * does not know.
 */
export const apiKeyLookupSchema = z.object({ apiKey: apiKeyChangedV1.nullable(), ...asOfEpoch });
export const deviceLookupSchema = z.object({ device: deviceChangedV1.nullable(), ...asOfEpoch });

/**
 * dashboard-api `GET /internal/v1/tenant-facts/:merchantId/:environment`: the owner's current facts of a tenant,
 * deleted ones included, for a decision that cannot be undone.
 */
export const tenantFactsSchema = z.object({
  merchant: merchantChangedV1.nullable(),
  receiverAccounts: z.array(receiverAccountChangedV1),
});
export type TenantFacts = z.infer<typeof tenantFactsSchema>;
