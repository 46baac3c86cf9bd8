import { CHECK_NAMES, type IntentStatus, type MatchStatus, type Tenant } from '@pay/contracts';
import type { Match } from './docket';
import type { Evidence, Intent } from './facts';
import type { Court } from './court';
import { assertIntentMove, assertMatchMove, evidenceStateOf } from './lifecycle';
import type { Candidate, Doubt, MatchDecision } from './match';
import { rulingOn } from './ruling-on';

const STATUS_OF: Readonly<Record<MatchDecision['kind'], MatchStatus>> = {
  matched: 'MATCHED',
  review: 'REVIEW_REQUIRED',
  pending: 'PENDING',
  failed: 'FAILED',
  duplicate: 'DUPLICATE',
  lapsed: 'EXPIRED',
  unparsed: 'UNPARSED',
};

/** The SMS that a decision is about. */
export interface Subject {
  readonly smsEventId: string;
  readonly tenant: Tenant;
  readonly ingestedAt: Date;
  /** sms-ingest's sequence of the reading that is judged. */
  readonly factsSequence: number;
  /** Of a text that was not understood; otherwise that of its evidence counts. */
  readonly factsEpoch?: number | undefined;
  /** Undefined for a text that was not understood. */
  readonly evidence: Evidence | undefined;
}

/** An intent after its status changed. */
export type Moved = Intent;

/**
 * Records a decision about an SMS on its match, its evidence and its intent, and announces it, unless it is what was decided before.
 * Answers the intents whose status changed.
 */
export function applyMatch(
  court: Court,
  subject: Subject,
  decision: MatchDecision,
  candidates: readonly Candidate[],
  furtherDoubts: readonly Doubt[] = [],
): Moved[] {
  const { docket, rulings, newId, readAnew } = court;
  const before = docket.matches.get(subject.smsEventId);
  const after = matchAfter(court, subject, decision, candidates, before);
  const isNews = after.smsSequence !== before?.smsSequence;
  if (isNews || !sameNotes(after, before)) docket.matches.put(after);

  const state = evidenceStateOf(after);
  if (subject.evidence !== undefined && state !== undefined && subject.evidence.state !== state) {
    docket.evidence.put({ ...subject.evidence, state });
  }

  const { evidence, ingestedAt } = subject;
  const tell = (match: Match, intent: Moved | undefined, concernsSms: boolean): void => {
    rulings.matches.push(rulingOn(match, { decisionId: newId(), evidence, ingestedAt, moved: intent, concernsSms }));
  };
  const moved: Moved[] = [];
  if (isNews) {
    if (before !== undefined) assertMatchMove(before.status, after.status, readAnew.has(subject.smsEventId));
    const intent = moveIntent(court, decision);
    if (intent !== undefined) moved.push(intent);
    tell(after, intent, true);
  }
  for (const doubt of furtherDoubts) {
    const intent = moveIntent(court, doubt);
    if (intent === undefined) continue;
    moved.push(intent);
    const about: Match = { ...after, ...outcomeOf(doubt), status: 'REVIEW_REQUIRED' };
    tell(about, intent, false);
  }
  return moved;
}

function matchAfter(
  { now, newId, readAnew }: Court,
  { smsEventId, tenant, evidence, factsSequence, factsEpoch }: Subject,
  given: MatchDecision,
  candidates: readonly Candidate[],
  before: Match | undefined,
): Match {
  const isAnew = readAnew.has(smsEventId);
  const decision: MatchDecision =
    isAnew && given.kind === 'pending' && before?.windowEndedAt !== undefined
      ? { kind: 'lapsed', reason: 'match_window_over' }
      : given;
  // Nothing leads to an intent: evidence that once led to one, or whose window is over, stays with a person.
  const staysWithPerson = decision.kind === 'pending' && before?.status !== 'UNPARSED' && !isAnew;
  if (before !== undefined && (sameOutcome(before, decision) || staysWithPerson)) {
    const doubts = decision.kind === 'review' ? decision.doubts : before.doubts;
    return { ...before, candidates, doubts, receivedAmount: evidence?.amount };
  }
  const status = STATUS_OF[decision.kind];
  const isOpen = status === 'PENDING' || status === 'REVIEW_REQUIRED';
  return {
    id: before?.id ?? newId(),
    tenant,
    smsEventId,
    ...outcomeOf(decision),
    status,
    receivedAmount: evidence?.amount,
    candidates,
    doubts: decision.kind === 'review' ? decision.doubts : [],
    smsSequence: (before?.smsSequence ?? 0) + 1,
    factsSequence,
    factsEpoch: evidence === undefined ? factsEpoch : evidence.factsEpoch,
    revision: before?.revision ?? evidence?.revision ?? 1,
    createdAt: before?.createdAt ?? now,
    windowEndedAt: before?.windowEndedAt ?? (decision.kind === 'lapsed' ? now : undefined),
    resolvedAt: isOpen ? undefined : now,
    decidedBy: 'system',
    resolutionNote: undefined,
  };
}

function outcomeOf(
  decision: MatchDecision,
): Pick<Match, 'intentId' | 'path' | 'reason' | 'checks' | 'paidInTime' | 'expectedAmount'> {
  const isAboutIntent = decision.kind === 'matched' || decision.kind === 'review';
  return {
    intentId: isAboutIntent ? decision.intent.id : undefined,
    path: isAboutIntent ? decision.path : undefined,
    reason: decision.reason,
    checks: isAboutIntent ? decision.checks : undefined,
    paidInTime: decision.kind === 'review' ? decision.paidInTime : undefined,
    expectedAmount: isAboutIntent ? decision.intent.amount : undefined,
  };
}

function sameOutcome(match: Match, decision: MatchDecision): boolean {
  const next = outcomeOf(decision);
  return (
    match.status === STATUS_OF[decision.kind] &&
    match.reason === next.reason &&
    match.intentId === next.intentId &&
    match.path === next.path &&
    match.paidInTime === next.paidInTime &&
    CHECK_NAMES.every((name) => match.checks?.[name] === next.checks?.[name])
  );
}

function sameNotes(one: Match, other: Match | undefined): boolean {
  const text = (match: Match | undefined) => [
    match?.receivedAmount?.toString(),
    match?.doubts,
    match?.candidates.map(({ paymentIntentId, path, reason, failedRules }) => [
      paymentIntentId,
      path,
      reason,
      failedRules,
    ]),
  ];
  return JSON.stringify(text(one)) === JSON.stringify(text(other));
}

function moveIntent({ docket }: Court, decision: MatchDecision): Moved | undefined {
  if (decision.kind !== 'matched' && decision.kind !== 'review') return undefined;
  const intent = docket.intents.get(decision.intent.id);
  if (intent === undefined) throw new Error('a decision is about an intent that is not on the docket');
  const to: IntentStatus | undefined =
    decision.kind === 'matched' ? 'PAID' : decision.concernsIntent ? 'REVIEW_REQUIRED' : undefined;
  if (to === undefined || to === intent.status) return undefined;
  assertIntentMove(intent.status, to, 'system');
  const moved: Intent = { ...intent, status: to, decisionSequence: intent.decisionSequence + 1 };
  docket.intents.put(moved);
  return moved;
}
