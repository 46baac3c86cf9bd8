import type { Arrival } from './arrivals';
import { evidenceLeadingTo, type Court } from './court';
import type { Intent } from './facts';
import { dropOldestClaims, newClaim, recordClaim } from './record-claims';
import { recordTexts } from './record-texts';

/** Puts everything that arrived on the docket, and the evidence that it may concern on the agenda. */
export function recordFacts(court: Court, arrivals: readonly Arrival[]): void {
  for (const arrival of arrivals) if (arrival.kind === 'intent') recordIntent(court, arrival.intent);
  for (const arrival of arrivals) if (arrival.kind === 'claim') recordClaim(court, arrival.tenant, arrival.claim);
  dropOldestClaims(court, arrivals);
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
        payerDigits: undefined,
        source: 'EXPECTED',
      }),
    );
  }
  for (const evidence of evidenceLeadingTo(docket, fact)) agenda.add(evidence.smsEventId);
}
