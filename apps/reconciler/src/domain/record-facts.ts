import type { Tenant } from '@pay/contracts';
import { applyMatch } from './apply-match';
import type { Arrival } from './arrivals';
import { evidenceLeadingTo, type Court } from './court';
import type { Claim, Intent } from './facts';
import { keyOf } from './keys';
import { refuse } from './match';

/** Puts everything that arrived on the docket, and the evidence that it may concern on the agenda. */
export function recordFacts(court: Court, arrivals: readonly Arrival[]): void {
  for (const arrival of arrivals) if (arrival.kind === 'intent') recordIntent(court, arrival.intent);
  for (const arrival of arrivals) if (arrival.kind === 'claim') recordClaim(court, arrival.tenant, arrival.claim);
  for (const arrival of byIngestion(arrivals)) recordSms(court, arrival);
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

type SmsArrival = Extract<Arrival, { kind: 'sms' | 'unparsed' }>;

function byIngestion(arrivals: readonly Arrival[]): SmsArrival[] {
  const order = (arrival: SmsArrival) => {
    const { ingestedAt, smsEventId } = arrival.kind === 'sms' ? arrival.evidence : arrival;
    return `${ingestedAt.toISOString()} ${smsEventId}`;
  };
  return arrivals
    .filter((arrival): arrival is SmsArrival => arrival.kind === 'sms' || arrival.kind === 'unparsed')
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

function recordSms(court: Court, arrival: SmsArrival): void {
  const { docket, agenda } = court;
  const smsEventId = arrival.kind === 'sms' ? arrival.evidence.smsEventId : arrival.smsEventId;
  const known = docket.matches.get(smsEventId);
  if (arrival.kind === 'unparsed') {
    if (known !== undefined) return;
    const { tenant, ingestedAt, reason } = arrival;
    applyMatch(court, { smsEventId, tenant, ingestedAt, evidence: undefined }, { kind: 'unparsed', reason }, []);
    return;
  }
  // The same SMS told twice changes nothing, unless it was not understood before.
  if (docket.evidence.get(smsEventId) !== undefined || (known !== undefined && known.status !== 'UNPARSED')) return;
  const { evidence, tenant } = arrival;
  const original = docket.evidence
    .find(keyOf.trxId(tenant, evidence.trxId))
    .find(({ provider }) => provider === evidence.provider);
  const refusal = refuse(evidence, original, court.termsOf(tenant));
  if (refusal?.kind !== 'duplicate') docket.evidence.put({ ...evidence, state: 'WAITING' });
  if (refusal === undefined) agenda.add(smsEventId);
  else applyMatch(court, { smsEventId, tenant, ingestedAt: evidence.ingestedAt, evidence }, refusal, []);
}
