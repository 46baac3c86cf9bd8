import type { Transaction } from '@pay/persistence';
import { takeLocks } from './db/advisory-locks';
import { findClaims, lockClaims } from './db/claims';
import { lockIntents } from './db/intents';
import { lockMatches } from './db/matches';
import type { TenantName } from './db/tenant-arrays';
import type { Arrival } from './domain/arrivals';
import { emptyDocket, type Docket } from './domain/docket';
import type { Claim, Evidence, Intent } from './domain/facts';
import { keyOf } from './domain/keys';

/** Far more than real facts are connected by; a bound all the same, so that a hostile web of claims cannot hold a batch. */
const MOST_ROUNDS = 8;

/**
 * Takes the locks of everything that arrived and reads everything connected with it: named intents, waiting evidence, claims of the
 * same TrxID and the intents they are for, and whatever else leads to any of those. Usually one round of four statements.
 */
export async function loadDocket(tx: Transaction, arrivals: readonly Arrival[]): Promise<Docket> {
  const docket = emptyDocket();
  const claimIds = new Set<string>();
  const wants = openWants();
  for (const arrival of arrivals) wantArrival(wants, arrival);

  for (let round = 0; round < MOST_ROUNDS && wants.any(); round += 1) {
    takeLocks(tx, wants.locks.take());

    const claims = await findClaims(tx, {
      ids: wants.claims.take(),
      trxIds: wants.claimsOf.take(),
      intentIds: wants.claimsFor.take(),
    });
    for (const claim of claims) {
      claimIds.add(claim.id);
      wantAroundClaim(wants, claim);
    }
    // Named locks before rows, so that nobody who holds a row waits for a name.
    takeLocks(tx, wants.locks.take());

    const intents = await lockIntents(tx, { ids: wants.intents.take(), references: wants.named.take() });
    for (const intent of intents) {
      docket.intents.load(intent);
      wantAroundIntent(wants, intent);
    }

    const found = await lockMatches(tx, {
      smsEventIds: wants.smsEvents.take(),
      trxIds: wants.trxIds.take(),
      references: wants.naming.take(),
      claimedFor: wants.claimedFor.take(),
    });
    for (const { match, evidence } of found) {
      docket.matches.load(match);
      if (evidence === undefined) continue;
      docket.evidence.load(evidence);
      wantAroundEvidence(wants, docket, evidence);
    }
  }
  // Read again as they are now: a claim may have been judged while a lock was waited for.
  for (const claim of await lockClaims(tx, [...claimIds])) docket.claims.load(claim);
  return docket;
}

type Wants = ReturnType<typeof openWants>;

function openWants() {
  const text = (value: string) => value;
  const name = ({ tenant, name }: TenantName) => keyOf.reference(tenant, name);
  const wants = {
    /** Names to lock. */
    locks: wanted(text),
    /** Intents by id, and by the reference that names them. */
    intents: wanted(text),
    named: wanted(name),
    /** Evidence and matches: by SMS event, of a TrxID, naming a reference, claimed for an intent. */
    smsEvents: wanted(text),
    trxIds: wanted(name),
    naming: wanted(name),
    claimedFor: wanted(text),
    /** Claims: by id, of a TrxID, for an intent that has only now arrived. */
    claims: wanted(text),
    claimsOf: wanted(name),
    claimsFor: wanted(text),
  };
  return { ...wants, arrivingTrxIds: new Set<string>(), any: () => Object.values(wants).some((each) => each.any()) };
}

/** A list of things to ask for, each once. */
function wanted<Thing>(keyFor: (thing: Thing) => string) {
  const asked = new Set<string>();
  let fresh: Thing[] = [];
  return {
    add(thing: Thing): void {
      const key = keyFor(thing);
      if (asked.has(key)) return;
      asked.add(key);
      fresh.push(thing);
    },
    any: () => fresh.length > 0,
    has: (key: string) => asked.has(key),
    take(): Thing[] {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}

function wantArrival(wants: Wants, arrival: Arrival): void {
  const { tenant } = arrival;
  switch (arrival.kind) {
    case 'intent': {
      const { id, referenceKey, expectedTrxId } = arrival.intent;
      wants.locks.add(keyOf.intent(id));
      wants.locks.add(keyOf.reference(tenant, referenceKey));
      wants.intents.add(id);
      wants.claims.add(id);
      wants.claimsFor.add(id);
      wants.naming.add({ tenant, name: referenceKey });
      if (expectedTrxId !== undefined) wantTrxId(wants, { tenant, name: expectedTrxId });
      break;
    }
    case 'sms': {
      const { smsEventId, trxId, referenceKey } = arrival.evidence;
      wantTrxId(wants, { tenant, name: trxId });
      wants.arrivingTrxIds.add(keyOf.trxId(tenant, trxId));
      wants.smsEvents.add(smsEventId);
      if (referenceKey === undefined) break;
      wants.locks.add(keyOf.reference(tenant, referenceKey));
      wants.named.add({ tenant, name: referenceKey });
      wants.naming.add({ tenant, name: referenceKey });
      break;
    }
    case 'claim': {
      const { id, intentId, trxId } = arrival.claim;
      wants.locks.add(keyOf.intent(intentId));
      wantTrxId(wants, { tenant, name: trxId });
      wants.claims.add(id);
      wants.intents.add(intentId);
      break;
    }
    case 'unparsed':
    case 'window':
      wants.smsEvents.add(arrival.smsEventId);
      break;
    case 'expiry':
      wants.intents.add(arrival.intentId);
      break;
  }
}

function wantTrxId(wants: Wants, trxId: TenantName): void {
  wants.locks.add(keyOf.trxId(trxId.tenant, trxId.name));
  wants.trxIds.add(trxId);
  wants.claimsOf.add(trxId);
}

function wantAroundIntent(wants: Wants, { id, tenant, referenceKey }: Intent): void {
  wants.naming.add({ tenant, name: referenceKey });
  wants.claimedFor.add(id);
}

function wantAroundEvidence(wants: Wants, docket: Docket, { tenant, trxId, referenceKey }: Evidence): void {
  wants.claimsOf.add({ tenant, name: trxId });
  if (referenceKey === undefined) return;
  if (docket.intents.find(keyOf.reference(tenant, referenceKey)).length === 0) {
    wants.named.add({ tenant, name: referenceKey });
  }
}

function wantAroundClaim(wants: Wants, { intentId, tenant, trxId }: Claim): void {
  const name = { tenant, name: trxId };
  if (wants.claimsFor.has(intentId)) {
    wants.trxIds.add(name);
    wants.claimsOf.add(name);
  }
  // The claim of a text that is not committed yet, for an intent that may be arriving elsewhere: neither could see the other. One of
  // them has to wait, and it is the text: whoever brings the intent holds its lock and finds this claim.
  if (wants.arrivingTrxIds.has(keyOf.trxId(tenant, trxId))) wants.locks.add(keyOf.intent(intentId));
  wants.intents.add(intentId);
}
