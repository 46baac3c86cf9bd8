import type { Environment, IntentOutcome, IntentSnapshot, MatchDecided } from '@pay/contracts';
import { isLegalMove, type SettledStatus } from './lifecycle';
import type { StoredIntent } from './stored-intent';

/** A match event as far as an intent is concerned. */
export interface Decision {
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly occurredAt: string;
  readonly data: MatchDecided;
}

export interface Move {
  readonly from: IntentSnapshot['status'];
  readonly to: SettledStatus;
  readonly before: StoredIntent;
  readonly next: StoredIntent;
  /** The receiver account that the money came in on, when the move is a payment. */
  readonly takenBy: string | null;
  readonly decision: IntentOutcome['decision'];
}

export type Ruling =
  | { readonly kind: 'apply'; readonly move: Move }
  /** Applied before: the same decision came again. */
  | { readonly kind: 'ignore' }
  /** An earlier decision about this intent has not arrived. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'refuse'; readonly reason: string };

/**
 * What one decision does to an intent. Decisions are applied strictly in the reconciler's sequence, so what is refused here was
 * never legal: a defect or a forgery, not a race.
 */
export function ruleOn(current: StoredIntent, decision: Decision): Ruling {
  const target = decision.data.intent;
  if (target === null || target.id !== current.intent.id) return refuse('the decision is about another intent');
  if (decision.merchantId !== current.merchantId || decision.environment !== current.environment) {
    return refuse('the decision belongs to another merchant or environment than its intent');
  }
  if (target.sequence <= current.decisionSequence) return { kind: 'ignore' };
  if (target.sequence > current.decisionSequence + 1) return { kind: 'wait' };

  const from = current.intent.status;
  const to = target.status;
  if (to === 'PENDING' || !isLegalMove(from, to)) return refuse(`an intent cannot move from ${from} to ${to}`);
  const next: StoredIntent = {
    ...current,
    sequence: current.sequence + 1,
    decisionSequence: target.sequence,
    intent: settled(current.intent, to, decision),
  };
  const takenBy = to === 'PAID' ? (decision.data.evidence?.receiverAccountId ?? next.intent.receiverAccountId) : null;
  return { kind: 'apply', move: { from, to, before: current, next, takenBy, decision: reasons(decision.data) } };
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

/** An intent for which no method was chosen takes that of the money that paid it. */
function methodOf(intent: IntentSnapshot, { evidence }: MatchDecided) {
  if (intent.paymentMethod !== null || evidence === null) return {};
  const { paymentMethod, receiverMsisdn, receiverAccountId } = evidence;
  return { paymentMethod, receiverMsisdn, receiverAccountId };
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

function refuse(reason: string): Ruling {
  return { kind: 'refuse', reason };
}
