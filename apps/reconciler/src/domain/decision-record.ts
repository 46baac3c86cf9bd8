import {
  formatAmount,
  type Checks,
  type IntentStatus,
  type MatchPath,
  type MatchStatus,
  type SmsStatus,
} from '@pay/contracts';
import type { MatchRuling } from './court';
import type { Docket } from './docket';
import type { Candidate } from './match';
import type { MatchDoubt } from './reasons';

/** A decision as it is kept for ever: what was decided, over what, by whom. Amounts as they are written outside. */
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
  /** What became of the intent and of the SMS, where the decision changed them. */
  readonly intent: { readonly id: string; readonly status: IntentStatus; readonly sequence: number } | null;
  readonly sms: { readonly id: string; readonly status: SmsStatus; readonly sequence: number } | null;
  /** `system`, or `user:` and the id of a person. */
  readonly decidedBy: string;
  /** What the person said of it. */
  readonly note: string | null;
  readonly decidedAt: string;
}

export function decisionRecord(ruling: MatchRuling, docket: Docket, decidedAt: Date): DecisionRecord {
  const smsEventId = ruling.sms?.id ?? ruling.evidence?.smsEventId;
  const match = smsEventId === undefined ? undefined : docket.matches.get(smsEventId);
  const intent = ruling.paymentIntentId === undefined ? undefined : docket.intents.get(ruling.paymentIntentId);
  return {
    id: ruling.decisionId,
    ...ruling.tenant,
    matchId: ruling.matchId,
    smsEventId: smsEventId ?? null,
    paymentIntentId: ruling.paymentIntentId ?? null,
    status: ruling.status,
    path: ruling.path ?? null,
    reason: ruling.reason,
    checks: ruling.checks ?? null,
    paidInTime: ruling.paidInTime ?? null,
    expectedAmount: intent === undefined ? null : formatAmount(intent.amount),
    receivedAmount: ruling.evidence === undefined ? null : formatAmount(ruling.evidence.amount),
    candidates: match?.candidates ?? [],
    doubts: match?.doubts ?? [],
    intent: ruling.intent ?? null,
    sms: ruling.sms ?? null,
    decidedBy: ruling.decidedBy ?? 'system',
    note: ruling.note ?? null,
    decidedAt: decidedAt.toISOString(),
  };
}

/** JSON with the keys of every object in order, so that the same content is always the same bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
