import {
  amountFromWire,
  formatAmount,
  type Checks,
  type IntentStatus,
  type MatchPath,
  type MatchStatus,
  type SmsStatus,
} from '@pay/contracts';
import type { MatchDecision } from './matching-session';
import type { Candidate, WorkingSet } from './working-set';
import type { MatchDoubt } from './reasons';

/** A decision as it is stored permanently: the result, its facts and who decided. Amounts are decimal strings. */
export interface DecisionRecord {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: string;
  readonly matchId: string;
  readonly smsEventId: string | null;
  readonly paymentIntentId: string | null;
  readonly status: MatchStatus;
  readonly path: MatchPath | null;
  readonly reason: string;
  readonly checks: Checks | null;
  readonly paidInTime: boolean | null;
  readonly expectedAmount: string | null;
  readonly receivedAmount: string | null;
  readonly candidates: readonly Candidate[];
  readonly doubts: readonly MatchDoubt[];
  /** The new status of the intent and of the SMS, if the decision changed them. */
  readonly intent: { readonly id: string; readonly status: IntentStatus; readonly sequence: number } | null;
  readonly sms: { readonly id: string; readonly status: SmsStatus; readonly sequence: number } | null;
  /** `system`, or `user:` and the id of a person. */
  readonly decidedBy: string;
  /** The reason given by that person. */
  readonly note: string | null;
  readonly decidedAt: string;
}

export function decisionRecord(decision: MatchDecision, workingSet: WorkingSet, decidedAt: Date): DecisionRecord {
  const smsEventId = decision.sms?.id ?? decision.evidence?.smsEventId;
  const match = smsEventId === undefined ? undefined : workingSet.matches.get(smsEventId);
  const intent = decision.paymentIntentId === undefined ? undefined : workingSet.intents.get(decision.paymentIntentId);
  return {
    id: decision.decisionId,
    ...decision.tenant,
    matchId: decision.matchId,
    smsEventId: smsEventId ?? null,
    paymentIntentId: decision.paymentIntentId ?? null,
    status: decision.status,
    path: decision.path ?? null,
    reason: decision.reason,
    checks: decision.checks ?? null,
    paidInTime: decision.paidInTime ?? null,
    expectedAmount: intent === undefined ? null : formatAmount(intent.amount),
    receivedAmount: decision.evidence === undefined ? null : formatAmount(decision.evidence.amount),
    candidates: match?.candidates ?? [],
    doubts: match?.doubts ?? [],
    intent: decision.intent ?? null,
    sms: decision.sms ?? null,
    decidedBy: decision.decidedBy ?? 'system',
    note: decision.note ?? null,
    decidedAt: decidedAt.toISOString(),
  };
}

/** Amount in poisha of the intent that became PAID; 0 if none did. */
export function paidAmountOf({ intent, expectedAmount }: DecisionRecord): bigint {
  return intent?.status === 'PAID' && expectedAmount !== null ? amountFromWire(expectedAmount) : 0n;
}

/** How an intent became PAID, for statistics. */
export interface PaymentFacts {
  readonly byPerson: boolean;
  /** Only of a payment by reference without a person: the others wait for people. */
  readonly secondsAfterSms?: number;
}

/** Undefined if the decision made no intent PAID. */
export function paymentFacts(decision: MatchDecision, decidedAt: Date): PaymentFacts | undefined {
  const { intent, status, path, ingestedAt } = decision;
  if (intent?.status !== 'PAID') return undefined;
  if (status === 'MANUALLY_RESOLVED') return { byPerson: true };
  if (path !== 'REFERENCE' || ingestedAt === undefined) return { byPerson: false };
  return { byPerson: false, secondsAfterSms: Math.max(0, decidedAt.getTime() - ingestedAt.getTime()) / 1_000 };
}

/** JSON with sorted object keys, so that equal content has equal bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
