import type { Tenant } from '@pay/contracts';
import type { Arrival, Submission } from './arrivals';
import { latestSubmission, withSubmission } from './claim-times';
import type { MatchingSession } from './matching-session';
import type { Claim } from './facts';
import { keyOf } from './keys';
import { settleClaim } from './settle-claims';

/** Maximum number of open claims per intent whose text has not arrived; an honest customer has paid once. */
export const MOST_UNSEEN_CLAIMS = 3;

/**
 * Adds a submission of a claim to the working set. A later submission reopens a known claim, so that it is decided by
 * its new time and answered again: checkout waits for that answer.
 */
export function recordClaim(session: MatchingSession, tenant: Tenant, submission: Submission): void {
  const { workingSet, queue } = session;
  const other = openUnderAnotherId(session, tenant, submission);
  if (other === undefined) {
    recordSubmission(session, tenant, submission);
  } else if (submission.submittedAt > latestSubmission(other)) {
    renameClaim(session, other, submission.id);
    recordSubmission(session, tenant, submission);
  } else {
    recordSubmission(session, tenant, { ...submission, id: other.id });
    settleEarlierId(session, other.id, submission);
  }
  const claim = workingSet.claims.get(submission.id);
  if (claim !== undefined) workingSet.claims.put(counted(claim, submission));
  for (const evidence of workingSet.evidence.find(keyOf.trxId(tenant, submission.trxId)))
    queue.add(evidence.smsEventId);
}

/**
 * Submissions after a gap are not counted: checkout would take their decision for one about those before them too. One
 * without a number ends the count, because checkout has counted it.
 */
function counted(claim: Claim, { submissionNumbers }: Submission): Claim {
  if (submissionNumbers === undefined) return { ...claim, submissions: undefined };
  const { first, last } = submissionNumbers;
  const submissions = claim.submissions ?? first - 1;
  return first <= submissions + 1 && last > submissions ? { ...claim, submissions: last } : claim;
}

function recordSubmission({ workingSet, resubmitted }: MatchingSession, tenant: Tenant, submission: Submission): void {
  const { id, intentId, trxId, submittedAt, payerDigits } = submission;
  const known = workingSet.claims.get(id);
  if (known === undefined) {
    const claim = newClaim({ id, tenant, intentId, trxId, submittedAt, payerDigits, source: 'CHECKOUT' });
    workingSet.claims.put({ ...claim, submissions: 0 });
    return;
  }
  const claim = withSubmission(known, submittedAt, workingSet.intents.get(known.intentId));
  const isLatest = submittedAt > latestSubmission(known);
  if (isLatest && known.sequence > 0 && !resubmitted.has(id)) resubmitted.set(id, known);
  const digits = digitsOf(known, submission, isLatest);
  if (isLatest || claim.submittedAt.getTime() !== known.submittedAt.getTime() || digits !== known.payerDigits)
    workingSet.claims.put({ ...claim, payerDigits: digits, state: 'OPEN' });
}

/**
 * The open claim of the same TrxID for the same intent under another id. Checkout gives a new id to a claim whose row
 * it has lost.
 */
function openUnderAnotherId(
  { workingSet }: MatchingSession,
  tenant: Tenant,
  { id, intentId, trxId }: Submission,
): Claim | undefined {
  return workingSet.claims
    .find(keyOf.trxId(tenant, trxId))
    .find(
      (claim) =>
        claim.intentId === intentId && claim.source === 'CHECKOUT' && claim.state === 'OPEN' && claim.id !== id,
    );
}

/** The claim keeps its times, digits and decision, so that a new id gives no new attempt to guess the digits. */
function renameClaim(session: MatchingSession, claim: Claim, id: string): void {
  const { workingSet } = session;
  const { sequence, submissions } = workingSet.claims.get(id) ?? { sequence: 0, submissions: 0 };
  workingSet.claims.put({ ...claim, id, sequence: Math.max(claim.sequence, sequence), submissions });
  settleAsReplaced(session, claim);
}

/** Answers an id whose submission came before the latest one of the open claim; repeated events are not answered. */
function settleEarlierId(session: MatchingSession, openId: string, submission: Submission): void {
  const { workingSet } = session;
  const { id, submittedAt } = submission;
  const open = workingSet.claims.get(openId);
  const known = workingSet.claims.get(id);
  if (open === undefined || (known !== undefined && submittedAt <= latestSubmission(known))) return;
  const { sequence, submissions } = known ?? { sequence: 0, submissions: 0 };
  settleAsReplaced(session, counted({ ...open, id, sequence, submissions }, submission));
}

function settleAsReplaced({ workingSet, result, resubmitted }: MatchingSession, claim: Claim): void {
  resubmitted.delete(claim.id);
  const replaced: Claim = {
    ...claim,
    state: 'SETTLED',
    outcome: 'dropped',
    reason: 'claim_replaced',
    sequence: claim.sequence + 1,
  };
  workingSet.claims.put(replaced);
  result.claims.push(replaced);
}

/** Digits that were compared with the text cannot be changed: three digits could be guessed by repeated attempts. */
function digitsOf(known: Claim, { payerDigits }: Submission, isLatest: boolean): string | undefined {
  const isFixed = known.payerDigits !== undefined && (known.smsEventId !== undefined || !isLatest);
  return isFixed ? known.payerDigits : (payerDigits ?? known.payerDigits);
}

/**
 * Keeps the latest claims without a text of each intent with new claims and settles the others, so that few TrxIDs can
 * be guessed in advance. A claim with a text is never dropped: it would no longer compete, and its digits could change.
 */
export function dropOldestClaims(session: MatchingSession, arrivals: readonly Arrival[]): void {
  const { workingSet } = session;
  const intentIds = new Set(arrivals.flatMap((arrival) => (arrival.kind === 'claim' ? [arrival.claim.intentId] : [])));
  for (const intentId of intentIds) {
    const unseen = workingSet.claims
      .find(keyOf.intent(intentId))
      .filter(({ state, source, smsEventId }) => state === 'OPEN' && source === 'CHECKOUT' && smsEventId === undefined)
      .sort((one, other) => latestSubmission(other).getTime() - latestSubmission(one).getTime() || byId(other, one));
    for (const claim of unseen.slice(MOST_UNSEEN_CLAIMS)) {
      settleClaim(session, claim, { outcome: 'dropped', reason: 'claim_dropped' }, undefined, true);
    }
  }
}

function byId(one: Claim, other: Claim): number {
  return one.id < other.id ? -1 : 1;
}

export function newClaim(
  claim: Pick<Claim, 'id' | 'tenant' | 'intentId' | 'trxId' | 'submittedAt' | 'payerDigits' | 'source'>,
): Claim {
  return {
    ...claim,
    resubmittedAt: undefined,
    state: 'OPEN',
    outcome: 'waiting',
    reason: 'new',
    smsEventId: undefined,
    sequence: 0,
    submissions: undefined,
  };
}
