import {
  compareSequences,
  contentHash,
  isSamePair,
  latestEpoch,
  type Environment,
  type IntentOutcome,
  type IntentSnapshot,
  type MatchDecided,
} from '@pay/contracts';
import { isLegalMove, type SettledStatus } from './lifecycle';
import type { StoredIntent } from './stored-intent';

export interface Decision {
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly occurredAt: string;
  readonly epoch?: number | null | undefined;
  readonly data: MatchDecided;
}

export interface Move {
  readonly from: IntentSnapshot['status'];
  readonly to: SettledStatus;
  readonly before: StoredIntent;
  readonly next: StoredIntent;
  /** Null if the move is not a payment. */
  readonly takenBy: string | null;
  readonly takenAt: Date | null;
  readonly decision: IntentOutcome['decision'];
}

/**
 * The intent already has this status. The reconciler's database lost the first decision, and the reconciler made it
 * again.
 */
export interface Confirmation {
  readonly from: SettledStatus;
  readonly to: SettledStatus;
  readonly before: StoredIntent;
  readonly next: StoredIntent;
}

export type DecisionEffect =
  | { readonly kind: 'apply'; readonly move: Move }
  /** Only the position of the decision changes. The status was already announced when the lost decision was applied. */
  | { readonly kind: 'confirm'; readonly confirmation: Confirmation }
  /** The decision was applied before: it was redelivered, or the reconciler's database has lost it. */
  | { readonly kind: 'ignore' }
  /** Epoch and sequence equal those of the applied decision, but the content differs. */
  | { readonly kind: 'conflict' }
  /** An earlier decision about this intent has not arrived. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'refuse'; readonly reason: string };

/**
 * The effect of one decision on an intent. Decisions are applied strictly in the reconciler's sequence, so an illegal
 * one is a defect or a forgery, not a race; in a later epoch, a sequence up to the next one is a new decision, which
 * must be legal after the applied one.
 */
export function effectOf(current: StoredIntent, decision: Decision): DecisionEffect {
  const target = decision.data.intent;
  if (target === null || target.id !== current.intent.id) return refuse('the decision is about another intent');
  if (decision.merchantId !== current.merchantId || decision.environment !== current.environment) {
    return refuse('the decision belongs to another merchant or environment than its intent');
  }
  const given = { epoch: decision.epoch, sequence: target.sequence };
  const applied = { epoch: current.decisionEpoch, sequence: current.decisionSequence };
  const decisionHash = contentHash([decision.data.matchId, decision.data.matchStatus, target.status]);
  if (isSamePair(given, applied) && current.decisionHash !== null && current.decisionHash !== decisionHash)
    return { kind: 'conflict' };
  if (compareSequences(given, applied) <= 0) return { kind: 'ignore' };
  if (target.sequence > current.decisionSequence + 1) return { kind: 'wait' };

  const from = current.intent.status;
  const to = target.status;
  const position = { decisionSequence: target.sequence, decisionEpoch: latestEpoch(given, applied), decisionHash };
  if (to === from && to !== 'PENDING' && target.sequence <= current.decisionSequence) {
    return { kind: 'confirm', confirmation: { from: to, to, before: current, next: { ...current, ...position } } };
  }
  if (to === 'PENDING' || !isLegalMove(from, to)) return refuse(`an intent cannot move from ${from} to ${to}`);
  const next: StoredIntent = {
    ...current,
    sequence: current.sequence + 1,
    ...position,
    paidTrxId: to === 'PAID' ? (decision.data.evidence?.trxId ?? null) : (current.paidTrxId ?? null),
    intent: settled(current.intent, to, decision),
  };
  const takenBy = to === 'PAID' ? (decision.data.evidence?.receiverAccountId ?? next.intent.receiverAccountId) : null;
  const takenAt = to === 'PAID' ? receivedAt(decision) : null;
  return {
    kind: 'apply',
    move: { from, to, before: current, next, takenBy, takenAt, decision: reasons(decision.data) },
  };
}

/** The time of the payment in the wallet statement. The provider's clock may be ahead of this one. */
function receivedAt({ occurredAt, data: { evidence } }: Decision): Date {
  const decidedAt = Date.parse(occurredAt);
  return new Date(evidence === null ? decidedAt : Math.min(Date.parse(evidence.providerTime), decidedAt));
}

function settled(intent: IntentSnapshot, to: SettledStatus, { occurredAt, data }: Decision): IntentSnapshot {
  const at = new Date(occurredAt).toISOString();
  switch (to) {
    case 'EXPIRED':
      return { ...intent, status: to, expiredAt: at };
    case 'FAILED':
      return { ...intent, status: to, failedAt: at, failureReason: data.reason };
    case 'REJECTED':
      return { ...intent, status: to, rejectedAt: at };
    case 'REVIEW_REQUIRED':
      return { ...intent, status: to, reviewRequiredAt: at };
    case 'PAID':
      return { ...intent, status: to, paidAt: at, ...methodOf(intent, data) };
  }
}

/**
 * A PAID intent has the method and receiver of the payment. The last choice of the customer is kept separately if it
 * differs.
 */
function methodOf(intent: IntentSnapshot, { evidence }: MatchDecided): Partial<IntentSnapshot> {
  if (evidence === null) return {};
  const { paymentMethod, receiverMsisdn, receiverAccountId } = evidence;
  const isMethodChosen = paymentMethod === intent.paymentMethod;
  // The receiver of the payment is unknown or the chosen one.
  if (isMethodChosen && (receiverMsisdn === null || receiverMsisdn === intent.receiverMsisdn)) return {};
  const isChosen = intent.paymentMethod !== null;
  return {
    paymentMethod,
    receiverMsisdn,
    receiverAccountId,
    ...(isChosen && { chosenPaymentMethod: intent.paymentMethod, chosenReceiverMsisdn: intent.receiverMsisdn }),
  };
}

function reasons({ matchId, path, reason, decidedBy, evidence, sms }: MatchDecided): IntentOutcome['decision'] {
  return {
    matchId,
    path,
    reason,
    decidedBy,
    smsEventId: evidence?.smsEventId ?? sms?.id ?? null,
    trxId: evidence?.trxId ?? null,
    receivedAmount: evidence?.amount ?? null,
  };
}

function refuse(reason: string): DecisionEffect {
  return { kind: 'refuse', reason };
}
