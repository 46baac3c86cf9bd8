import { applyMatch, type Moved } from './apply-match';
import type { Arrival } from './arrivals';
import { evidenceLeadingTo, type Court, type Rulings } from './court';
import type { Docket } from './docket';
import { isOpen, isUnspent, sameTenant, type Evidence, type Intent } from './facts';
import { keyOf } from './keys';
import { assertIntentMove } from './lifecycle';
import { decide, judgeLateClaims, type Question } from './match';
import type { MatchReason } from './reasons';
import { recordFacts } from './record-facts';
import { repeatDecisions } from './repeat-decisions';
import { judgeReview, type ReviewArrival } from './review';
import { judgeUnseenClaims, settleClaim } from './settle-claims';

/**
 * Makes every decision that follows from the arrivals, over a docket that holds all facts connected with them. First all facts are
 * recorded, then evidence is judged by age; an intent that gets paid puts whatever else led to it on the agenda again. Statuses only
 * move forward, so this ends.
 */
export function judge(
  docket: Docket,
  arrivals: readonly Arrival[],
  context: Pick<Court, 'now' | 'newId' | 'termsOf'>,
): Rulings {
  const court: Court = {
    ...context,
    docket,
    rulings: {
      ...{ matches: [], claims: [], disputes: [], conflicts: [], verdicts: [] },
      repeated: { matches: [], claims: [] },
    },
    agenda: new Set(),
    readAnew: new Set(),
    resubmitted: new Set(),
    vacated: new Set(),
  };
  recordFacts(court, arrivals);
  workThrough(court);
  judgeUnseenClaims(court, arrivals);
  for (const arrival of arrivals) if (arrival.kind === 'review') hear(court, arrival);
  for (const arrival of arrivals) {
    if (arrival.kind === 'expiry') close(court, arrival.intentId, 'EXPIRED', 'intent_expired');
    if (arrival.kind === 'unpayable') close(court, arrival.intentId, 'FAILED', arrival.reason);
  }
  for (const arrival of arrivals) if (arrival.kind === 'window') endWindow(court, arrival.smsEventId);
  workThrough(court);
  repeatDecisions(court, arrivals);
  return court.rulings;
}

function workThrough(court: Court): void {
  const { agenda } = court;
  for (let next = oldest(court); next !== undefined; next = oldest(court)) {
    agenda.delete(next.smsEventId);
    examine(court, next);
  }
}

function oldest({ docket, agenda }: Court): Evidence | undefined {
  let found: Evidence | undefined;
  for (const smsEventId of agenda) {
    const evidence = docket.evidence.get(smsEventId);
    if (evidence !== undefined && (found === undefined || byAge(evidence, found) < 0)) found = evidence;
  }
  return found;
}

function byAge(one: Evidence, other: Evidence): number {
  const age = one.ingestedAt.getTime() - other.ingestedAt.getTime();
  return age !== 0 ? age : one.smsEventId < other.smsEventId ? -1 : 1;
}

function examine(court: Court, { smsEventId }: Evidence): void {
  const added = court.docket.matches.get(smsEventId) === undefined ? [] : addedClaims(court, smsEventId);
  // Claims of a text that was judged before are heard one after the other: the outcome must not depend on which of them share a batch.
  for (let n = 1; n < added.length; n += 1) examineWithout(court, smsEventId, new Set(added.slice(n)));
  examineWithout(court, smsEventId, new Set());
}

/** Claims that have not been judged by their latest submission, oldest first. */
function addedClaims(court: Court, smsEventId: string): string[] {
  const evidence = court.docket.evidence.get(smsEventId);
  if (evidence === undefined) return [];
  return questionOf(court, evidence).petitions.flatMap(({ claim: { id, sequence } }) =>
    sequence === 0 || court.resubmitted.has(id) ? [id] : [],
  );
}

function examineWithout(court: Court, smsEventId: string, leftOut: ReadonlySet<string>): void {
  const { docket } = court;
  const evidence = docket.evidence.get(smsEventId);
  if (evidence === undefined) return;
  const { tenant, ingestedAt, factsSequence } = evidence;
  const all = questionOf(court, evidence);
  const question = { ...all, petitions: all.petitions.filter(({ claim }) => !leftOut.has(claim.id)) };
  if (isUnspent(evidence)) {
    const { match, furtherDoubts, candidates, claims } = decide(question);
    const subject = { smsEventId, tenant, ingestedAt, factsSequence, evidence };
    const moved = applyMatch(court, subject, match, candidates, furtherDoubts);
    const isUsed = match.kind === 'matched';
    for (const { claim, judgement } of claims) settleClaim(court, claim, judgement, evidence, isUsed);
    lookAgain(court, moved);
    return;
  }
  const payee = evidence.state === 'USED' ? docket.matches.get(smsEventId)?.intentId : undefined;
  if (payee === undefined) return;
  for (const { claim, judgement } of judgeLateClaims(question, payee))
    settleClaim(court, claim, judgement, evidence, true);
}

function questionOf({ docket, termsOf }: Court, evidence: Evidence): Question {
  const { tenant, referenceKey, trxId } = evidence;
  const [named] = referenceKey === undefined ? [] : docket.intents.find(keyOf.reference(tenant, referenceKey));
  const petitions = docket.claims
    .find(keyOf.trxId(tenant, trxId))
    .filter(({ state }) => state === 'OPEN')
    .toSorted((one, other) => one.submittedAt.getTime() - other.submittedAt.getTime() || (one.id < other.id ? -1 : 1))
    .map((claim) => {
      const intent = docket.intents.get(claim.intentId);
      // An id of another merchant's intent is as good as none.
      return { claim, intent: intent !== undefined && sameTenant(intent.tenant, tenant) ? intent : undefined };
    });
  return { evidence, named, petitions, terms: termsOf(tenant) };
}

/** Ends an intent that nothing has paid. What would pay it has been judged before. */
function close(court: Court, intentId: string, status: 'EXPIRED' | 'FAILED', reason: MatchReason): void {
  const { docket, rulings, newId } = court;
  const intent = docket.intents.get(intentId);
  if (intent?.status !== 'PENDING') return;
  assertIntentMove(intent.status, status, 'system');
  const closed: Intent = { ...intent, status, decisionSequence: intent.decisionSequence + 1 };
  docket.intents.put(closed);
  const decisionId = newId();
  rulings.matches.push({
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
  lookAgain(court, [closed]);
}

function hear(court: Court, arrival: ReviewArrival): void {
  const verdict = judgeReview(court, arrival);
  court.rulings.verdicts.push(verdict);
  if (verdict.kind === 'done') lookAgain(court, verdict.moved);
}

function endWindow(court: Court, smsEventId: string): void {
  const evidence = court.docket.evidence.get(smsEventId);
  if (evidence?.state !== 'WAITING') return;
  const { tenant, ingestedAt, factsSequence } = evidence;
  const candidates = court.docket.matches.get(smsEventId)?.candidates ?? [];
  applyMatch(
    court,
    { smsEventId, tenant, ingestedAt, factsSequence, evidence },
    { kind: 'lapsed', reason: 'match_window_over' },
    candidates,
  );
}

/** An intent that is not open any more changes what other evidence that leads to it means. */
function lookAgain({ docket, agenda }: Court, moved: readonly Moved[]): void {
  for (const intent of moved) {
    if (isOpen(intent)) continue;
    for (const evidence of evidenceLeadingTo(docket, intent)) {
      if (isUnspent(evidence)) agenda.add(evidence.smsEventId);
    }
  }
}
