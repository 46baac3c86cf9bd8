import type { Tenant } from '@pay/contracts';
import type { Arrival } from './arrivals';
import { evidenceLeadingTo, type Court } from './court';
import type { Claim, Intent } from './facts';
import { keyOf } from './keys';
import { recordTexts } from './record-texts';

/** Puts everything that arrived on the docket, and the evidence that it may concern on the agenda. */
export function recordFacts(court: Court, arrivals: readonly Arrival[]): void {
  for (const arrival of arrivals) if (arrival.kind === 'intent') recordIntent(court, arrival.intent);
  for (const arrival of arrivals) if (arrival.kind === 'claim') recordClaim(court, arrival.tenant, arrival.claim);
  recordTexts(court, arrivals);
}

function recordIntent({ docket, agenda }: Court, fact: Intent): void {
  const known = docket.intents.get(fact.id);
  if (known === undefined) {
    docket.intents.put({ ...fact, decisionSequence: 0 });
  } else if (fact.sourceSequence > known.sourceSequence) {
    const { shownReceivers, sourceSequence } = fact;
    docket.intents.put({ ...known, shownReceivers, sourceSequence });
  } else {
    return;
  }
  if (fact.expectedTrxId !== undefined && docket.claims.get(fact.id) === undefined) {
    docket.claims.put(
      newClaim({
        id: fact.id,
        tenant: fact.tenant,
        intentId: fact.id,
        trxId: fact.expectedTrxId,
        submittedAt: fact.createdAt,
        source: 'EXPECTED',
      }),
    );
  }
  for (const evidence of evidenceLeadingTo(docket, fact)) agenda.add(evidence.smsEventId);
}

function recordClaim(
  { docket, agenda }: Court,
  tenant: Tenant,
  claim: Pick<Claim, 'id' | 'intentId' | 'trxId' | 'submittedAt'>,
): void {
  if (docket.claims.get(claim.id) === undefined) docket.claims.put(newClaim({ ...claim, tenant, source: 'CHECKOUT' }));
  for (const evidence of docket.evidence.find(keyOf.trxId(tenant, claim.trxId))) agenda.add(evidence.smsEventId);
}

function newClaim(claim: Pick<Claim, 'id' | 'tenant' | 'intentId' | 'trxId' | 'submittedAt' | 'source'>): Claim {
  return { ...claim, state: 'OPEN', outcome: 'waiting', reason: 'new', smsEventId: undefined, sequence: 0 };
}
