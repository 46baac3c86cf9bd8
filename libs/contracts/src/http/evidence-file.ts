import { z } from 'zod';
import { environmentSchema } from '../environment';
import { checkoutActivitySchema } from './checkout-activity';
import { claimOutcomeSchema } from './internal';
import { intentSnapshotSchema } from '../intent';
import { paymentMethodSchema } from '../payment-method';
import { checksSchema, intentStatusSchema, matchPathSchema, matchStatusSchema } from '../status';
import { timestamp } from './request-fields';

/** The intent as it was decided. */
const decidedIntentSchema = z.object({
  id: z.uuid(),
  status: intentStatusSchema,
  amount: z.string(),
  /** The reference key. */
  referenceKey: z.string(),
  expectedTrxId: z.string().nullable(),
  createdAt: timestamp,
  expiresAt: timestamp,
});

/** The parsed SMS as it was decided. Its text is not included. */
const smsFactsSchema = z.object({
  smsEventId: z.uuid(),
  paymentMethod: paymentMethodSchema,
  trxId: z.string(),
  amount: z.string(),
  referenceKey: z.string().nullable(),
  receiverMsisdn: z.string().nullable(),
  /** Masked. */
  payerMsisdn: z.string().nullable(),
  providerTime: timestamp,
  ingestedAt: timestamp,
  signals: z.array(z.object({ name: z.string(), detail: z.string() })),
});

const claimFactsSchema = z.object({
  id: z.uuid(),
  trxId: z.string(),
  source: z.enum(['CHECKOUT', 'EXPECTED']),
  submittedAt: timestamp,
  isSettled: z.boolean(),
  outcome: claimOutcomeSchema,
  reason: z.string(),
  smsEventId: z.uuid().nullable(),
});

const decisionFactsSchema = z.object({
  id: z.uuid(),
  decidedAt: timestamp,
  matchId: z.uuid(),
  smsEventId: z.uuid().nullable(),
  /** Another intent's, where one SMS led to several. */
  paymentIntentId: z.uuid().nullable(),
  status: matchStatusSchema,
  path: matchPathSchema.nullable(),
  reason: z.string(),
  checks: checksSchema.nullable(),
  paidInTime: z.boolean().nullable(),
  expectedAmount: z.string().nullable(),
  receivedAmount: z.string().nullable(),
  candidates: z.array(
    z.object({
      paymentIntentId: z.uuid(),
      path: matchPathSchema,
      reason: z.string(),
      failedRules: z.array(z.string()),
      /** A reconciler of the version before sends none. */
      doubts: z.array(z.string()).default([]),
    }),
  ),
  doubts: z.array(z.unknown()),
  /** The new status of the intent; null if it did not change. */
  intentStatus: intentStatusSchema.nullable(),
  /** `system`, or `user:` and the id of a person. */
  decidedBy: z.string(),
  note: z.string().nullable(),
  /** Position in the chain of decisions; null until it is sealed, usually for less than a second. */
  position: z.string().nullable(),
  /** HMAC-SHA-256, hex: of the decision, and of its link to all earlier decisions. */
  signature: z.string(),
  link: z.string().nullable(),
  /** Whether it matches its signature. */
  isAuthentic: z.boolean(),
});

/**
 * reconciler `GET /internal/v1/payments/:intentId/evidence-file?merchantId=`: the decisions of a payment. 404
 * NOT_FOUND.
 */
export const internalEvidenceFileSchema = z.object({
  environment: environmentSchema,
  intent: decidedIntentSchema,
  sms: z.array(smsFactsSchema),
  claims: z.array(claimFactsSchema),
  decisions: z.array(decisionFactsSchema),
});
export type InternalEvidenceFile = z.infer<typeof internalEvidenceFileSchema>;

/** Maximum number of claims, decisions and deliveries in a file; no honest payment has as many. */
export const MOST_IN_EVIDENCE_FILE = 200;

const attemptFactsSchema = z.object({
  attempt: z.int().positive(),
  startedAt: timestamp,
  finishedAt: timestamp.nullable(),
  outcome: z.string().nullable(),
  httpStatus: z.int().nullable(),
});

const webhookFactsSchema = z.object({
  id: z.uuid(),
  endpointId: z.uuid(),
  eventType: z.string(),
  status: z.string(),
  createdAt: timestamp,
  deliveredAt: timestamp.nullable(),
  attempts: z.array(attemptFactsSchema),
});

/**
 * webhook-dispatcher `GET /internal/v1/deliveries?paymentIntentId=`: the deliveries of a payment, oldest first. With
 * `responses=true` attempts contain the start of the response body.
 */
export const internalDeliveriesSchema = z.object({
  deliveries: z.array(
    webhookFactsSchema.extend({ attempts: z.array(attemptFactsSchema.extend({ response: z.string().nullish() })) }),
  ),
});
export type InternalDeliveries = z.infer<typeof internalDeliveriesSchema>;

/** reconciler `GET /internal/v1/decision-chain`: the end of a tenant's chain, for publication. */
export const decisionChainHeadSchema = z.object({
  position: z.string(),
  /** Null while nothing is sealed. */
  link: z.string().nullable(),
  sealedAt: timestamp.nullable(),
  /** Decisions that are not linked yet, up to 1,000. */
  unsealed: z.int().nonnegative(),
});
export type DecisionChainHead = z.infer<typeof decisionChainHeadSchema>;

/** Parts that are missing because their owner did not respond. */
export const evidencePartSchema = z.enum(['payment', 'judgement', 'checkout', 'webhooks']);
export type EvidencePart = z.infer<typeof evidencePartSchema>;

/** GET /v1/dashboard/payments/:id/evidence-file */
export const evidenceFileSchema = z.object({
  paymentIntentId: z.uuid(),
  environment: environmentSchema,
  madeAt: timestamp,
  /** Empty: the file is complete. */
  missing: z.array(evidencePartSchema),
  /** The payment intent as it is now. */
  payment: intentSnapshotSchema.nullable(),
  /** Its decisions and their facts. */
  judgement: z
    .object({
      ...internalEvidenceFileSchema.omit({ environment: true }).shape,
      decisions: z.array(
        decisionFactsSchema.extend({ reviewer: z.object({ id: z.uuid(), name: z.string().nullable() }).nullable() }),
      ),
    })
    .nullable(),
  /** Events of the checkout; empty once checkout-api has deleted its copy of the intent. */
  checkout: z.array(checkoutActivitySchema).nullable(),
  /** The webhooks to the shop. */
  webhooks: z.array(webhookFactsSchema).nullable(),
});
export type EvidenceFile = z.infer<typeof evidenceFileSchema>;
