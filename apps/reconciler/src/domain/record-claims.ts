import type { Tenant } from '@pay/contracts';
import type { Arrival, Submission } from './arrivals';
import { latestSubmission, withSubmission } from './claim-times';
import type { MatchingSession } from './matching-session';
import type { Claim } from './facts';
import { keyOf } from './keys';
import { settleClaim } from './settle-claims';

/** Maximum number of open claims per intent; an honest customer has paid once. */
export const MOST_OPEN_CLAIMS = 3;

/**
 * Adds a submission of a claim to the working set. A later submission reopens a known claim, so that it is decided by
 * its new time and answered again: checkout waits for that answer.
 */
export function recordClaim(
  { workingSet, queue, resubmitted }: MatchingSession,
  tenant: Tenant,
  submission: Submission,
): void {
  const { id, submittedAt, payerDigits, ...named } = submission;
  const known = workingSet.claims.get(id);
  if (known === undefined) {
    workingSet.claims.put(newClaim({ id, tenant, ...named, submittedAt, payerDigits, source: 'CHECKOUT' }));
  } else {
    const claim = withSubmission(known, submittedAt, workingSet.intents.get(known.intentId)?.expiresAt);
    const isLatest = submittedAt > latestSubmission(known);
    if (isLatest) resubmitted.add(id);
    if (isLatest || claim.submittedAt.getTime() !== known.submittedAt.getTime())
      workingSet.claims.put({ ...claim, payerDigits: digitsOf(known, submission, isLatest), state: 'OPEN' });
  }
  for (const evidence of workingSet.evidence.find(keyOf.trxId(tenant, submission.trxId)))
    queue.add(evidence.smsEventId);
}

/** Digits that were compared with the text cannot be changed: three digits could be guessed by repeated attempts. */
function digitsOf(known: Claim, { payerDigits }: Submission, isLatest: boolean): string | undefined {
  const isFixed = isCompared(known) || (known.payerDigits !== undefined && !isLatest);
  return isFixed ? known.payerDigits : (payerDigits ?? known.payerDigits);
}

/**
 * Keeps the latest claims of each intent with new claims and settles the others, so that they do not compete. Claims
 * whose digits were compared with a text are kept first: once dropped, they could be sent again with other digits.
 */
export function dropOldestClaims(session: MatchingSession, arrivals: readonly Arrival[]): void {
  const { workingSet } = session;
  const intentIds = new Set(arrivals.flatMap((arrival) => (arrival.kind === 'claim' ? [arrival.claim.intentId] : [])));
  for (const intentId of intentIds) {
    const open = workingSet.claims
      .find(keyOf.intent(intentId))
      .filter(({ state, source }) => state === 'OPEN' && source === 'CHECKOUT')
      .sort(
        (one, other) =>
          Number(isCompared(other)) - Number(isCompared(one)) ||
          latestSubmission(other).getTime() - latestSubmission(one).getTime() ||
          byId(other, one),
      );
    for (const claim of open.slice(MOST_OPEN_CLAIMS)) {
      settleClaim(session, claim, { outcome: 'dropped', reason: 'claim_dropped' }, undefined, true);
    }
  }
}

function isCompared({ payerDigits, smsEventId }: Claim): boolean {
  return payerDigits !== undefined && smsEventId !== undefined;
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
  };
}
