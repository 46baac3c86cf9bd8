import { CHECK_NAMES, type IntentStatus, type MatchStatus, type Tenant } from '@pay/contracts';
import type { Candidate, Match } from './working-set';
import type { Evidence, Intent } from './facts';
import type { MatchingSession } from './matching-session';
import { assertIntentMove, assertMatchMove, evidenceStateOf, mayReturnToReview } from './lifecycle';
import type { Doubt, MatchOutcome } from './decide-evidence';
import { lastingDoubtsOf } from './lasting-doubts';
import { matchDecision } from './match-decision';

const STATUS_OF: Readonly<Record<MatchOutcome['kind'], MatchStatus>> = {
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
  /** sms-ingest's sequence of the parsed text that is decided. */
  readonly factsSequence: number;
  /** Only for an unparsed text; otherwise the value of its evidence counts. */
  readonly factsEpoch?: number | undefined;
  /** Undefined for an unparsed text. */
  readonly evidence: Evidence | undefined;
}

/**
 * Applies a decision about an SMS to its match, evidence and intent, and publishes it if it is new. Returns the intents
 * whose status changed.
 */
export function applyMatch(
  session: MatchingSession,
  subject: Subject,
  outcome: MatchOutcome,
  candidates: readonly Candidate[],
  furtherDoubts: readonly Doubt[] = [],
): Intent[] {
  const { workingSet, result, newId, reparsed } = session;
  const before = workingSet.matches.get(subject.smsEventId);
  const after = matchAfter(session, subject, outcome, candidates, before);
  const isChanged = after.smsSequence !== before?.smsSequence;
  if (isChanged || !sameNotes(after, before)) workingSet.matches.put(after);

  const state = evidenceStateOf(after);
  if (subject.evidence !== undefined && state !== undefined && subject.evidence.state !== state) {
    workingSet.evidence.put({ ...subject.evidence, state });
  }

  const { evidence, ingestedAt } = subject;
  const addDecision = (match: Match, intent: Intent | undefined, concernsSms: boolean): void => {
    result.matches.push(
      matchDecision(match, { decisionId: newId(), evidence, ingestedAt, moved: intent, concernsSms }),
    );
  };
  const moved: Intent[] = [];
  if (isChanged) {
    const isReturned = before !== undefined && mayReturnToReview(before) && after.status === 'REVIEW_REQUIRED';
    if (before !== undefined && !isReturned)
      assertMatchMove(before.status, after.status, reparsed.has(subject.smsEventId));
    const intent = moveIntent(session, outcome);
    if (intent !== undefined) moved.push(intent);
    addDecision(after, intent, true);
  }
  for (const doubt of furtherDoubts) {
    const intent = moveIntent(session, doubt);
    if (intent === undefined) continue;
    moved.push(intent);
    const about: Match = { ...after, ...outcomeOf(doubt), status: 'REVIEW_REQUIRED' };
    addDecision(about, intent, false);
  }
  return moved;
}

function matchAfter(
  { now, newId, reparsed, lastingDoubts }: MatchingSession,
  { smsEventId, tenant, evidence, factsSequence, factsEpoch }: Subject,
  given: MatchOutcome,
  candidates: readonly Candidate[],
  before: Match | undefined,
): Match {
  const isReparsed = reparsed.has(smsEventId);
  const outcome: MatchOutcome =
    isReparsed && given.kind === 'pending' && before?.windowEndedAt !== undefined
      ? { kind: 'lapsed', reason: 'match_window_over' }
      : given;
  const lasting = lastingDoubtsOf(before, lastingDoubts.get(smsEventId));
  // No intent was found: evidence that had led to one, or whose match window is over, stays in review.
  const staysWithPerson = outcome.kind === 'pending' && before?.status !== 'UNPARSED' && !isReparsed;
  if (before !== undefined && (sameOutcome(before, outcome) || staysWithPerson)) {
    const doubts = outcome.kind === 'review' ? outcome.doubts : [...new Set([...before.doubts, ...lasting])];
    return { ...before, candidates, doubts, receivedAmount: evidence?.amount };
  }
  const status = STATUS_OF[outcome.kind];
  const isOpen = status === 'PENDING' || status === 'REVIEW_REQUIRED';
  return {
    id: before?.id ?? newId(),
    tenant,
    smsEventId,
    ...outcomeOf(outcome),
    status,
    receivedAmount: evidence?.amount,
    candidates,
    doubts: outcome.kind === 'review' ? outcome.doubts : lasting,
    smsSequence: (before?.smsSequence ?? 0) + 1,
    factsSequence,
    factsEpoch: evidence === undefined ? factsEpoch : evidence.factsEpoch,
    revision: before?.revision ?? evidence?.revision ?? 1,
    createdAt: before?.createdAt ?? now,
    windowEndedAt: before?.windowEndedAt ?? (outcome.kind === 'lapsed' ? now : undefined),
    resolvedAt: isOpen ? undefined : now,
    decidedBy: 'system',
    resolutionNote: undefined,
  };
}

function outcomeOf(
  outcome: MatchOutcome,
): Pick<Match, 'intentId' | 'path' | 'reason' | 'checks' | 'paidInTime' | 'expectedAmount'> {
  const isAboutIntent = outcome.kind === 'matched' || outcome.kind === 'review';
  return {
    intentId: isAboutIntent ? outcome.intent.id : undefined,
    path: isAboutIntent ? outcome.path : undefined,
    reason: outcome.reason,
    checks: isAboutIntent ? outcome.checks : undefined,
    paidInTime: outcome.kind === 'review' ? outcome.paidInTime : undefined,
    expectedAmount: isAboutIntent ? outcome.intent.amount : undefined,
  };
}

function sameOutcome(match: Match, outcome: MatchOutcome): boolean {
  const next = outcomeOf(outcome);
  return (
    match.status === STATUS_OF[outcome.kind] &&
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
    match?.candidates.map(({ paymentIntentId, path, reason, failedRules, doubts }) => [
      paymentIntentId,
      path,
      reason,
      failedRules,
      doubts,
    ]),
  ];
  return JSON.stringify(text(one)) === JSON.stringify(text(other));
}

function moveIntent({ workingSet }: MatchingSession, outcome: MatchOutcome): Intent | undefined {
  if (outcome.kind !== 'matched' && outcome.kind !== 'review') return undefined;
  const intent = workingSet.intents.get(outcome.intent.id);
  if (intent === undefined) throw new Error('a decision is about an intent that is not in the working set');
  const to: IntentStatus | undefined =
    outcome.kind === 'matched' ? 'PAID' : outcome.concernsIntent ? 'REVIEW_REQUIRED' : undefined;
  if (to === undefined || to === intent.status) return undefined;
  assertIntentMove(intent.status, to, 'system');
  const moved: Intent = { ...intent, status: to, decisionSequence: intent.decisionSequence + 1 };
  workingSet.intents.put(moved);
  return moved;
}
