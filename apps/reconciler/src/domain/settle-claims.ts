import type { Arrival } from './arrivals';
import type { MatchingSession } from './matching-session';
import { sameTenant, type Claim, type Evidence } from './facts';
import { recordDispute } from './record-dispute';
import { decideUnseenClaim, type ClaimDecision } from './decide-claim';
import { keyOf } from './keys';

/**
 * Stores the decision about a claim and publishes it if it is new. Claims of used evidence are settled, except if their
 * intent has not arrived yet: they are answered when it does.
 */
export function settleClaim(
  session: Pick<MatchingSession, 'workingSet' | 'result' | 'resubmitted' | 'newId'>,
  claim: Claim,
  { outcome, reason }: ClaimDecision,
  evidence: Evidence | undefined,
  isUsed: boolean,
): void {
  const { workingSet, result, resubmitted } = session;
  const isFinal = outcome === 'dropped' || (isUsed && workingSet.intents.get(claim.intentId) !== undefined);
  const state = isFinal ? 'SETTLED' : 'OPEN';
  const smsEventId = evidence?.smsEventId;
  const isAgain = resubmitted.delete(claim.id);
  const isChanged = claim.sequence === 0 || claim.outcome !== outcome || isAgain;
  if (isFinal && evidence !== undefined) recordDispute(session, claim, outcome, evidence);
  if (!isChanged && claim.state === state && claim.reason === reason && claim.smsEventId === smsEventId) return;
  const sequence = isChanged ? claim.sequence + 1 : claim.sequence;
  const settled: Claim = { ...claim, outcome, reason, state, smsEventId, sequence };
  workingSet.claims.put(settled);
  if (isChanged && settled.source === 'CHECKOUT') result.claims.push(settled);
}

/** Decides claims of unknown TrxIDs: those that arrived, whose intent arrived, or whose TrxID was invalidated. */
export function decideUnseenClaims(session: MatchingSession, arrivals: readonly Arrival[]): void {
  const { workingSet, invalidatedTrxIds } = session;
  const arrived = arrivals.flatMap((arrival) => {
    if (arrival.kind === 'intent') return workingSet.claims.find(keyOf.intent(arrival.intent.id)).map(({ id }) => id);
    if (arrival.kind === 'claim') {
      const { trxId, intentId } = arrival.claim;
      // Also a claim that is open under another id: the submission may have changed its times.
      return workingSet.claims
        .find(keyOf.trxId(arrival.tenant, trxId))
        .filter((claim) => claim.intentId === intentId && claim.source === 'CHECKOUT')
        .map(({ id }) => id);
    }
    return [];
  });
  const left = [...invalidatedTrxIds].flatMap((key) => workingSet.claims.find(key)).map(({ id }) => id);
  for (const id of new Set([...arrived, ...left])) {
    const claim = workingSet.claims.get(id);
    if (claim === undefined || claim.state === 'SETTLED') continue;
    const evidence = workingSet.evidence.find(keyOf.trxId(claim.tenant, claim.trxId));
    if (evidence.some(({ state }) => state !== 'CLOSED')) continue;
    const intent = workingSet.intents.get(claim.intentId);
    const own = intent !== undefined && sameTenant(intent.tenant, claim.tenant) ? intent : undefined;
    // A person may reopen the closed text, with which the claim was compared.
    const closed = evidence.find(({ smsEventId }) => smsEventId === claim.smsEventId);
    settleClaim(session, claim, decideUnseenClaim(claim, own), closed, false);
  }
}
