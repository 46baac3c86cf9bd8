import type { Transaction } from '@pay/persistence';
import { takeLocks } from './advisory-lock-repository';
import { lockClaims } from './claim-repository';
import { lockIntents } from './intent-repository';
import { lockMatches, type NewReference } from './match-lock-repository';
import type { TenantName } from './tenant-arrays';
import type { Arrival } from '../domain/arrivals';
import { emptyWorkingSet, type WorkingSet } from '../domain/working-set';
import type { Claim, Evidence, Intent } from '../domain/facts';
import { keyOf } from '../domain/keys';

/** Far above real numbers of connected facts; the limit stops an artificial network of claims from blocking a batch. */
const MOST_ROUNDS = 16;

/**
 * Takes the locks of all arrivals and reads everything connected: named intents, waiting evidence, claims of the same
 * TrxID and their intents. Usually one round trip is enough; each further round follows the facts found in the previous
 * one.
 */
export async function loadWorkingSet(tx: Transaction, arrivals: readonly Arrival[]): Promise<WorkingSet> {
  const workingSet = emptyWorkingSet();
  const wants = openWants();
  for (const arrival of arrivals) wantArrival(wants, arrival);
  // Names are locked before rows, so that no transaction waits for a name while it holds a row lock.
  takeLocks(tx, wants.locks.take());
  for (let round = 0; round < MOST_ROUNDS && wants.any(); round += 1) await loadRound(tx, workingSet, wants);
  return workingSet;
}

/** Each statement has its own snapshot, taken after the previous statements hold their locks. */
async function loadRound(tx: Transaction, workingSet: WorkingSet, wants: Wants): Promise<void> {
  const [intentIds, references, claimedTrxIds] = [wants.intents.take(), wants.references.take(), wants.claimsOf.take()];
  const [intents, { found, stale, early }, claims] = await Promise.all([
    lockIntents(tx, { ids: intentIds, references, claimedBy: claimedTrxIds }),
    lockMatches(tx, {
      smsEventIds: wants.smsEvents.take(),
      trxIds: wants.trxIds.take(),
      references,
      newReferences: wants.newReferences.take(),
      intentIds: [...intentIds, ...wants.surroundings.take()],
    }),
    lockClaims(tx, {
      ids: wants.claims.take(),
      trxIds: claimedTrxIds,
      intentIds: wants.claimsFor.take(),
      unseenOf: wants.claimsBeside.take(),
    }),
  ]);
  for (const intent of intents) {
    workingSet.intents.load(intent);
    wantAroundIntent(wants, intent);
  }
  for (const row of early) workingSet.earlySignals.load(row);
  for (const smsEventId of stale) wants.smsEvents.again(smsEventId);
  for (const { match, evidence } of found) {
    workingSet.matches.load(match);
    if (evidence === undefined) continue;
    workingSet.evidence.load(evidence);
    wantAroundEvidence(wants, evidence);
  }
  for (const claim of claims) {
    workingSet.claims.load(claim);
    wantAroundClaim(wants, workingSet, claim);
  }
}

type Wants = ReturnType<typeof openWants>;

function openWants() {
  const text = (value: string) => value;
  const name = ({ tenant, name }: TenantName) => keyOf.reference(tenant, name);
  const wants = {
    /** Names to lock. */
    locks: wanted(text),
    /** Intents by id, and the one that a reference names: each with the evidence that leads to it while it is open. */
    intents: wanted(text),
    references: wanted(name),
    /** Evidence that names an intent that has just arrived. */
    newReferences: wanted<NewReference>(name),
    /** Evidence that leads to a stored intent. */
    surroundings: wanted(text),
    /** Evidence and matches: by SMS event, of a TrxID. */
    smsEvents: wanted(text),
    trxIds: wanted(name),
    /** Claims: by id, of a TrxID with their intents, and for an intent that has just arrived. */
    claims: wanted(text),
    claimsOf: wanted(name),
    claimsFor: wanted(text),
    /** Claims without a text for an intent, to limit their number; connected facts are not read. */
    claimsBeside: wanted(text),
  };
  return { ...wants, any: () => Object.values(wants).some((each) => each.any()) };
}

/** A list of distinct keys to read. */
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
    /** Keys to read again. */
    again: (thing: Thing) => void fresh.push(thing),
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
      const { id, referenceKey, amount, expectedTrxId } = arrival.intent;
      // intent-api assigns each reference once, so the only intent with this name is the arrival itself, which is read
      // by id.
      wants.locks.add(keyOf.intent(id));
      wants.locks.add(keyOf.reference(tenant, referenceKey));
      wants.newReferences.add({ tenant, name: referenceKey, amount });
      wants.intents.add(id);
      wants.claimsFor.add(id);
      if (expectedTrxId === undefined) break;
      wants.claims.add(id);
      wantTrxId(wants, { tenant, name: expectedTrxId });
      break;
    }
    case 'sms': {
      const { smsEventId, trxId, referenceKey } = arrival.evidence;
      wantTrxId(wants, { tenant, name: trxId });
      wantSms(wants, smsEventId);
      if (referenceKey !== undefined) wantReference(wants, { tenant, name: referenceKey });
      break;
    }
    case 'claim': {
      const { id, intentId, trxId } = arrival.claim;
      wants.locks.add(keyOf.intent(intentId));
      wantTrxId(wants, { tenant, name: trxId });
      wants.claims.add(id);
      wants.claimsBeside.add(intentId);
      wants.intents.add(intentId);
      break;
    }
    case 'unparsed':
    case 'signals':
    case 'reopened':
      wantSms(wants, arrival.smsEventId);
      break;
    case 'window':
      wants.smsEvents.add(arrival.smsEventId);
      break;
    case 'expiry':
      wants.intents.add(arrival.intentId);
      break;
    case 'review': {
      const { smsEventId, trxId, referenceKey, intent } = arrival;
      wantSms(wants, smsEventId);
      if (trxId !== undefined) wantTrxId(wants, { tenant, name: trxId });
      if (referenceKey !== undefined) wantReference(wants, { tenant, name: referenceKey });
      if (intent === undefined) break;
      wants.locks.add(keyOf.intent(intent.id));
      wantReference(wants, { tenant, name: intent.referenceKey });
      wants.intents.add(intent.id);
      break;
    }
    case 'unpayable':
      wants.locks.add(keyOf.intent(arrival.intentId));
      wants.locks.add(keyOf.reference(tenant, arrival.referenceKey));
      wants.intents.add(arrival.intentId);
      break;
  }
}

function wantSms(wants: Wants, smsEventId: string): void {
  wants.locks.add(keyOf.sms(smsEventId));
  wants.smsEvents.add(smsEventId);
}

function wantReference(wants: Wants, reference: TenantName): void {
  wants.locks.add(keyOf.reference(reference.tenant, reference.name));
  wants.references.add(reference);
}

function wantTrxId(wants: Wants, trxId: TenantName): void {
  wants.locks.add(keyOf.trxId(trxId.tenant, trxId.name));
  wants.trxIds.add(trxId);
  wants.claimsOf.add(trxId);
}

/** Evidence for an open intent is read together with its name; for an intent found through a claim it is read now. */
function wantAroundIntent(wants: Wants, { id, tenant, referenceKey }: Intent): void {
  if (wants.intents.has(id) || wants.references.has(keyOf.reference(tenant, referenceKey))) return;
  wants.surroundings.add(id);
}

function wantAroundEvidence(wants: Wants, { tenant, trxId, referenceKey }: Evidence): void {
  wants.claimsOf.add({ tenant, name: trxId });
  if (referenceKey !== undefined) wants.references.add({ tenant, name: referenceKey });
}

function wantAroundClaim(wants: Wants, workingSet: WorkingSet, { intentId, tenant, trxId }: Claim): void {
  if (wants.claimsFor.has(intentId)) {
    wants.trxIds.add({ tenant, name: trxId });
    wants.claimsOf.add({ tenant, name: trxId });
  }
  // The transaction that held the lock of the claim may have stored its intent.
  if (workingSet.intents.get(intentId) === undefined) wants.intents.add(intentId);
}
