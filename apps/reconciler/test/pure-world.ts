import { randomUUID } from 'node:crypto';
import type { Arrival } from '../src/domain/arrivals';
import type { Dispute, MatchRuling } from '../src/domain/court';
import { emptyDocket, type Docket, type Match } from '../src/domain/docket';
import type { Claim, Evidence, Intent, Terms } from '../src/domain/facts';
import { judge } from '../src/domain/judge';
import { TEN, TERMS } from './builders';

/** Everything the reconciler knows, kept in memory: each delivery is judged over all of it, like a transaction that loaded everything. */
export interface World {
  deliver(...arrivals: readonly Arrival[]): void;
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
  readonly rulings: MatchRuling[];
  readonly toldClaims: Claim[];
  readonly disputes: Dispute[];
}

export function pureWorld(terms: Terms = TERMS): World {
  let docket = emptyDocket();
  const rulings: MatchRuling[] = [];
  const toldClaims: Claim[] = [];
  const disputes: Dispute[] = [];
  return {
    rulings,
    toldClaims,
    disputes,
    deliver(...arrivals) {
      const made = judge(docket, arrivals, { now: TEN, newId: randomUUID, termsOf: () => terms });
      rulings.push(...made.matches);
      toldClaims.push(...made.claims);
      disputes.push(...made.disputes);
      docket = stored(docket);
    },
    intent: (id) => present(docket.intents.get(id)),
    match: ({ smsEventId }) => present(docket.matches.get(smsEventId)),
    evidence: (smsEventId) => present(docket.evidence.get(smsEventId)),
    claim: (id) => present(docket.claims.get(id)),
    all: () => ({
      intents: docket.intents.all(),
      matches: docket.matches.all(),
      evidence: docket.evidence.all(),
      claims: docket.claims.all(),
    }),
  };
}

function stored(docket: Docket): Docket {
  const next = emptyDocket();
  for (const row of docket.intents.all()) next.intents.load(row);
  for (const row of docket.evidence.all()) next.evidence.load(row);
  for (const row of docket.matches.all()) next.matches.load(row);
  for (const row of docket.claims.all()) next.claims.load(row);
  for (const row of docket.earlySignals.all()) next.earlySignals.load(row);
  return next;
}

function present<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('nothing with this id is known');
  return row;
}
