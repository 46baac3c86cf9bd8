import type { MatchReason } from '@pay/contracts';
import { applyMatch } from './apply-match';
import type { Arrival } from './arrivals';
import { latestSubmission } from './claim-times';
import { MOST_OF_A_TRX_ID } from './competing-claims';
import { evidenceLeadingTo, type MatchingSession, type SessionResult } from './matching-session';
import type { Match, WorkingSet } from './working-set';
import { isOpen, isUnspent, sameTenant, type Evidence, type Intent } from './facts';
import { keyOf } from './keys';
import { assertIntentMove, evidenceStateOf, mayReturnToReview } from './lifecycle';
import { lastingDoubtsOf } from './lasting-doubts';
import { decideEvidence, decideLateClaims, type Question } from './decide-evidence';
import { dropOldestClaims } from './record-claims';
import { recordFacts } from './record-facts';
import { repeatDecisions } from './repeat-decisions';
import { decideReview, type ReviewArrival } from './decide-review';
import { decideUnseenClaims, settleClaim } from './settle-claims';

/**
 * Makes every decision that follows from the arrivals over a working set with all connected facts: records the facts,
 * then decides evidence by age, and a paid intent queues its other evidence again. Statuses only move forward, so this
 * terminates.
 */
export function decideArrivals(
  workingSet: WorkingSet,
  arrivals: readonly Arrival[],
  context: Pick<MatchingSession, 'now' | 'newId' | 'termsOf'>,
): SessionResult {
  const session: MatchingSession = {
    ...context,
    workingSet,
    result: {
      matches: [],
      claims: [],
      disputes: [],
      conflicts: [],
      reviewResults: [],
      repeated: { matches: [], claims: [] },
    },
    queue: new Set(),
    reparsed: new Set(),
    resubmitted: new Map(),
    lastingDoubts: new Map(),
    invalidatedTrxIds: new Set(),
  };
  recordFacts(session, arrivals);
  for (const arrival of arrivals) if (arrival.kind === 'reopened') session.queue.add(arrival.smsEventId);
  decideQueued(session);
  // Claims that pay by stored evidence are settled by then: in single transactions each is decided before the next.
  dropOldestClaims(session, arrivals);
  decideUnseenClaims(session, arrivals);
  for (const arrival of arrivals) if (arrival.kind === 'review') applyReview(session, arrival);
  for (const arrival of arrivals) {
    if (arrival.kind === 'expiry') closeIntent(session, arrival.intentId, 'EXPIRED', 'intent_expired');
    if (arrival.kind === 'unpayable') closeIntent(session, arrival.intentId, 'FAILED', arrival.reason);
  }
  for (const arrival of arrivals) if (arrival.kind === 'window') endWindow(session, arrival.smsEventId);
  decideQueued(session);
  repeatDecisions(session, arrivals);
  return session.result;
}

function decideQueued(session: MatchingSession): void {
  const { queue } = session;
  for (let next = oldestQueued(session); next !== undefined; next = oldestQueued(session)) {
    queue.delete(next.smsEventId);
    decideOne(session, next);
  }
}

function oldestQueued({ workingSet, queue }: MatchingSession): Evidence | undefined {
  let found: Evidence | undefined;
  for (const smsEventId of queue) {
    const evidence = workingSet.evidence.get(smsEventId);
    if (evidence !== undefined && (found === undefined || byAge(evidence, found) < 0)) found = evidence;
  }
  return found;
}

function byAge(one: Evidence, other: Evidence): number {
  const age = one.ingestedAt.getTime() - other.ingestedAt.getTime();
  return age !== 0 ? age : one.smsEventId < other.smsEventId ? -1 : 1;
}

function decideOne(session: MatchingSession, evidence: Evidence): void {
  const { smsEventId } = evidence;
  const added = session.workingSet.matches.get(smsEventId) === undefined ? [] : addedClaims(session, evidence);
  // Claims of a text that was decided before are decided one after the other, each beside the others as they were: the
  // outcome must not depend on which of them share a batch.
  for (let n = 1; n < added.length; n += 1) decideOneBefore(session, smsEventId, new Set(added.slice(n)));
  decideOneBefore(session, smsEventId, new Set());
}

/** Claims that have not been decided by their latest submission, in the order of those. */
function addedClaims({ workingSet, resubmitted }: MatchingSession, { tenant, trxId }: Evidence): string[] {
  return workingSet.claims
    .find(keyOf.trxId(tenant, trxId))
    .filter(({ id, state, sequence }) => state === 'OPEN' && (sequence === 0 || resubmitted.has(id)))
    .toSorted(
      (one, other) =>
        latestSubmission(one).getTime() - latestSubmission(other).getTime() || (one.id < other.id ? -1 : 1),
    )
    .map(({ id }) => id);
}

/** Decides a text as before the latest submissions of some claims. */
function decideOneBefore(session: MatchingSession, smsEventId: string, laterClaims: ReadonlySet<string>): void {
  const { workingSet } = session;
  const evidence = workingSet.evidence.get(smsEventId);
  if (evidence === undefined) return;
  const question = questionOf(session, evidence, laterClaims);
  const match = workingSet.matches.get(smsEventId);
  if (isUnspent(evidence)) {
    decideUnspent(session, question);
  } else if (match !== undefined && mayReturnToReview(match)) {
    returnToReview(session, question, match);
  } else if (evidence.state === 'USED' && match?.intentId !== undefined) {
    for (const { claim, claimDecision } of decideLateClaims(question, match.intentId))
      settleClaim(session, claim, claimDecision, evidence, true);
  }
}

function decideUnspent(session: MatchingSession, question: Question): void {
  const { evidence } = question;
  const { smsEventId, tenant, ingestedAt, factsSequence } = evidence;
  const { match, furtherDoubts, candidates, claims } = decideEvidence(question);
  const subject = { smsEventId, tenant, ingestedAt, factsSequence, evidence };
  const moved = applyMatch(session, subject, match, candidates, furtherDoubts);
  const isUsed = match.kind === 'matched';
  for (const { claim, claimDecision } of claims) settleClaim(session, claim, claimDecision, evidence, isUsed);
  queueAffectedEvidence(session, moved);
}

/**
 * Puts a text that a person closed by rejecting an intent back into review if a claim of another open intent leads to
 * it. Claims of ended intents do not, so each return needs a new intent, and an item closed as `not ours` stays closed.
 */
function returnToReview(session: MatchingSession, question: Question, { windowEndedAt, doubts }: Match): void {
  const state = evidenceStateOf({ status: 'REVIEW_REQUIRED', windowEndedAt }) ?? 'REVIEW';
  const lastingDoubts = lastingDoubtsOf({ doubts }, ['other_intent_rejected']);
  const reviewed = { ...question, evidence: { ...question.evidence, state }, lastingDoubts };
  const { match } = decideEvidence(reviewed);
  if (match.kind !== 'review' || !match.concernsIntent) return;
  if (!question.claimsWithIntents.some(({ intent }) => intent?.id === match.intent.id)) return;
  session.workingSet.evidence.put(reviewed.evidence);
  decideUnspent(session, reviewed);
}

function questionOf(
  { workingSet, termsOf, resubmitted, lastingDoubts: added }: MatchingSession,
  evidence: Evidence,
  laterClaims: ReadonlySet<string>,
): Question {
  const { tenant, referenceKey, trxId } = evidence;
  const [named] = referenceKey === undefined ? [] : workingSet.intents.find(keyOf.reference(tenant, referenceKey));
  const claims = workingSet.claims.find(keyOf.trxId(tenant, trxId));
  const claimsWithIntents = claims
    .flatMap((current) => {
      const claim = laterClaims.has(current.id) ? resubmitted.get(current.id) : current;
      return claim?.state === 'OPEN' ? [claim] : [];
    })
    .toSorted((one, other) => one.submittedAt.getTime() - other.submittedAt.getTime() || (one.id < other.id ? -1 : 1))
    .map((claim) => {
      const intent = workingSet.intents.get(claim.intentId);
      // The id of another merchant's intent counts as unknown.
      const own = intent !== undefined && sameTenant(intent.tenant, tenant) ? intent : undefined;
      return { claim, intent: own, isAnsweredLater: laterClaims.has(claim.id) };
    });
  const hasMoreClaims = claims.length >= MOST_OF_A_TRX_ID;
  const { smsEventId } = evidence;
  const lastingDoubts = lastingDoubtsOf(workingSet.matches.get(smsEventId), added.get(smsEventId));
  return { evidence, named, claimsWithIntents, hasMoreClaims, lastingDoubts, terms: termsOf(tenant) };
}

/** Closes an unpaid intent. Evidence that could pay it has been decided before. */
function closeIntent(
  session: MatchingSession,
  intentId: string,
  status: 'EXPIRED' | 'FAILED',
  reason: MatchReason,
): void {
  const { workingSet, result, newId } = session;
  const intent = workingSet.intents.get(intentId);
  if (intent?.status !== 'PENDING') return;
  assertIntentMove(intent.status, status, 'system');
  const closed: Intent = { ...intent, status, decisionSequence: intent.decisionSequence + 1 };
  workingSet.intents.put(closed);
  const decisionId = newId();
  result.matches.push({
    decisionId,
    matchId: decisionId,
    tenant: intent.tenant,
    status,
    path: undefined,
    reason,
    checks: undefined,
    paidInTime: undefined,
    paymentIntentId: intent.id,
    intent: { id: intent.id, status, sequence: closed.decisionSequence },
    sms: undefined,
    evidence: undefined,
    ingestedAt: undefined,
  });
  queueAffectedEvidence(session, [closed]);
}

function applyReview(session: MatchingSession, arrival: ReviewArrival): void {
  const reviewResult = decideReview(session, arrival);
  session.result.reviewResults.push(reviewResult);
  if (reviewResult.kind === 'done') queueAffectedEvidence(session, reviewResult.moved);
}

function endWindow(session: MatchingSession, smsEventId: string): void {
  const evidence = session.workingSet.evidence.get(smsEventId);
  if (evidence?.state !== 'WAITING') return;
  const { tenant, ingestedAt, factsSequence } = evidence;
  const candidates = session.workingSet.matches.get(smsEventId)?.candidates ?? [];
  applyMatch(
    session,
    { smsEventId, tenant, ingestedAt, factsSequence, evidence },
    { kind: 'lapsed', reason: 'match_window_over' },
    candidates,
  );
}

/** An intent that is no longer open changes the outcome of other evidence that leads to it. */
function queueAffectedEvidence({ workingSet, queue }: MatchingSession, moved: readonly Intent[]): void {
  for (const intent of moved) {
    if (isOpen(intent)) continue;
    for (const evidence of evidenceLeadingTo(workingSet, intent)) {
      if (isUnspent(evidence)) queue.add(evidence.smsEventId);
    }
  }
}
