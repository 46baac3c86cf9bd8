import { randomUUID } from 'node:crypto';
import type { Arrival } from '../src/domain/arrivals';
import type { Dispute, MatchDecision } from '../src/domain/matching-session';
import { emptyWorkingSet, type WorkingSet, type Match } from '../src/domain/working-set';
import type { Claim, Evidence, Intent, Terms } from '../src/domain/facts';
import { decideArrivals } from '../src/domain/decide-arrivals';
import { after, TERMS } from './builders';

/**
 * Everything the reconciler knows, kept in memory: each delivery is decided over all of it, like a transaction that
 * loaded everything.
 */
export interface InMemoryMatching {
  deliver(...arrivals: readonly Arrival[]): void;
  /** Later deliveries are at this time; the first ones an hour after ten. */
  setTime(time: Date): void;
  intent(id: string): Intent;
  match(evidence: Pick<Evidence, 'smsEventId'>): Match;
  evidence(smsEventId: string): Evidence;
  claim(id: string): Claim;
  all(): {
    readonly intents: Intent[];
    readonly matches: Match[];
    readonly evidence: Evidence[];
    readonly claims: Claim[];
  };
  readonly decisions: MatchDecision[];
  readonly publishedClaims: Claim[];
  /** For checkout only. */
  readonly repeatedClaims: Claim[];
  readonly disputes: Dispute[];
}

export function inMemoryMatching(terms: Terms = TERMS): InMemoryMatching {
  let workingSet = emptyWorkingSet();
  let now = after(60);
  const decisions: MatchDecision[] = [];
  const publishedClaims: Claim[] = [];
  const repeatedClaims: Claim[] = [];
  const disputes: Dispute[] = [];
  return {
    decisions,
    publishedClaims,
    repeatedClaims,
    disputes,
    deliver(...arrivals) {
      const made = decideArrivals(workingSet, arrivals, { now, newId: randomUUID, termsOf: () => terms });
      decisions.push(...made.matches);
      publishedClaims.push(...made.claims);
      repeatedClaims.push(...made.repeated.claims);
      disputes.push(...made.disputes);
      workingSet = stored(workingSet);
    },
    setTime(time) {
      now = time;
    },
    intent: (id) => present(workingSet.intents.get(id)),
    match: ({ smsEventId }) => present(workingSet.matches.get(smsEventId)),
    evidence: (smsEventId) => present(workingSet.evidence.get(smsEventId)),
    claim: (id) => present(workingSet.claims.get(id)),
    all: () => ({
      intents: workingSet.intents.all(),
      matches: workingSet.matches.all(),
      evidence: workingSet.evidence.all(),
      claims: workingSet.claims.all(),
    }),
  };
}

function stored(workingSet: WorkingSet): WorkingSet {
  const next = emptyWorkingSet();
  for (const row of workingSet.intents.all()) next.intents.load(row);
  for (const row of workingSet.evidence.all()) next.evidence.load(row);
  for (const row of workingSet.matches.all()) next.matches.load(row);
  for (const row of workingSet.claims.all()) next.claims.load(row);
  for (const row of workingSet.earlySignals.all()) next.earlySignals.load(row);
  return next;
}

function present<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('nothing with this id is known');
  return row;
}
