import { z } from 'zod';
import { paymentMethodSchema } from './payment-method';
import { intentStatusSchema } from './status';
import { timestamp } from './timestamp';

/** Why an intent fails: nothing that it has shown can be paid any more. */
export const INTENT_FAILURE_REASONS = ['receiver_switched_off', 'merchant_switched_off', 'method_disabled'] as const;
export type IntentFailureReason = (typeof INTENT_FAILURE_REASONS)[number];

/** A receiver that a customer of this intent has been shown; money to any of them counts for it. */
export const shownReceiverSchema = z.object({
  receiverAccountId: z.uuid(),
  paymentMethod: paymentMethodSchema,
  receiverMsisdn: z.string(),
});
export type ShownReceiver = z.infer<typeof shownReceiverSchema>;

/**
 * An intent's whole state as intent-api has committed it. Every `intent.*` event carries it, so that a copy can be
 * built from any one of them and a newer `sequence` always replaces an older one. Amounts are decimal strings in BDT.
 */
export const intentSnapshotSchema = z.object({
  id: z.uuid(),
  amount: z.string(),
  currency: z.literal('BDT'),
  status: intentStatusSchema,
  customerReference: z.string(),
  merchantReference: z.string().nullable(),
  /** Of a PAID intent: what received the money. Before: the last choice. */
  paymentMethod: paymentMethodSchema.nullable(),
  receiverMsisdn: z.string().nullable(),
  receiverAccountId: z.uuid().nullable(),
  /** The last choice, where the money came in elsewhere; otherwise null or absent. See `lastChoiceOf`. */
  chosenPaymentMethod: paymentMethodSchema.nullish(),
  chosenReceiverMsisdn: z.string().nullish(),
  shownReceivers: z.array(shownReceiverSchema),
  /** True when the merchant named the method at creation; the customer may not change it then. */
  methodFixed: z.boolean(),
  expectedTrxId: z.string().nullable(),
  expectedSenderMsisdn: z.string().nullable(),
  customerId: z.string().nullable(),
  language: z.enum(['en', 'bn']).nullable(),
  successUrl: z.string().nullable(),
  failedUrl: z.string().nullable(),
  cancelUrl: z.string().nullable(),
  expiredUrl: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  createdAt: timestamp,
  expiresAt: timestamp,
  paidAt: timestamp.nullable(),
  /**
   * When the intent reached the status of that name, also if it has left it since. Absent in events of earlier
   * versions: read it as null.
   */
  expiredAt: timestamp.nullish(),
  failedAt: timestamp.nullish(),
  rejectedAt: timestamp.nullish(),
  reviewRequiredAt: timestamp.nullish(),
  /** Why it FAILED: one of INTENT_FAILURE_REASONS. */
  failureReason: z.string().nullish(),
});
export type IntentSnapshot = z.infer<typeof intentSnapshotSchema>;

/**
 * The method and receiver that were chosen last, by the merchant or at checkout. Both are null if nothing was chosen.
 */
export function lastChoiceOf(
  intent: Pick<
    IntentSnapshot,
    'paymentMethod' | 'receiverMsisdn' | 'chosenPaymentMethod' | 'chosenReceiverMsisdn' | 'shownReceivers'
  >,
): Pick<IntentSnapshot, 'paymentMethod' | 'receiverMsisdn'> {
  if (intent.shownReceivers.length === 0) return { paymentMethod: null, receiverMsisdn: null };
  return {
    paymentMethod: intent.chosenPaymentMethod ?? intent.paymentMethod,
    receiverMsisdn: intent.chosenReceiverMsisdn ?? intent.receiverMsisdn,
  };
}
