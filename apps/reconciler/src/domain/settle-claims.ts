import type { Arrival } from './arrivals';
import type { Court } from './court';
import { sameTenant, type Claim, type Evidence } from './facts';
import { disputeUse } from './dispute-use';
import { judgeUnseen, type ClaimJudgement } from './judge-claim';
import { keyOf } from './keys';

/**
 * Records what a claim is answered, and announces it when that is news. Claims of spent evidence are settled for good, but for one whose
 * intent has not come yet: it is answered when that does.
 */
export function settleClaim(
  court: Pick<Court, 'docket' | 'rulings' | 'resubmitted' | 'newId'>,
  claim: Claim,
  { outcome, reason }: ClaimJudgement,
  evidence: Evidence | undefined,
  isUsed: boolean,
): void {
  const { docket, rulings, resubmitted } = court;
  const isFinal = outcome === 'dropped' || (isUsed && docket.intents.get(claim.intentId) !== undefined);
  const state = isFinal ? 'SETTLED' : 'OPEN';
  const smsEventId = evidence?.smsEventId;
  const isAgain = resubmitted.delete(claim.id);
  const isNews = claim.sequence === 0 || claim.outcome !== outcome || isAgain;
  if (isFinal && evidence !== undefined) disputeUse(court, claim, outcome, evidence);
  if (!isNews && claim.state === state && claim.reason === reason && claim.smsEventId === smsEventId) return;
  const sequence = isNews ? claim.sequence + 1 : claim.sequence;
  const settled: Claim = { ...claim, outcome, reason, state, smsEventId, sequence };
  docket.claims.put(settled);
  if (isNews && settled.source === 'CHECKOUT') rulings.claims.push(settled);
}

/** Claims that arrived, or whose intent did, or whose text turned out to be another's, and of whose TrxID nothing is known. */
export function judgeUnseenClaims(court: Court, arrivals: readonly Arrival[]): void {
  const { docket, vacated } = court;
  const arrived = arrivals.flatMap((arrival) => {
    if (arrival.kind === 'intent') return docket.claims.find(keyOf.intent(arrival.intent.id)).map(({ id }) => id);
    if (arrival.kind === 'claim') return [arrival.claim.id];
    return [];
  });
  const left = [...vacated].flatMap((key) => docket.claims.find(key)).map(({ id }) => id);
  for (const id of new Set([...arrived, ...left])) {
    const claim = docket.claims.get(id);
    if (claim === undefined || claim.state === 'SETTLED') continue;
    const evidence = docket.evidence.find(keyOf.trxId(claim.tenant, claim.trxId));
    if (evidence.some(({ state }) => state !== 'CLOSED')) continue;
    const intent = docket.intents.get(claim.intentId);
    const own = intent !== undefined && sameTenant(intent.tenant, claim.tenant) ? intent : undefined;
    settleClaim(court, claim, judgeUnseen(claim, own), undefined, false);
  }
}
