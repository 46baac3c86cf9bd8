import type { Transaction } from '@pay/persistence';
import { insertClaims, updateClaims } from './claim-repository';
import { deleteEvidence, insertEvidence, keepEarlySignals, updateEvidence } from './evidence-repository';
import { insertIntents, updateIntents } from './intent-repository';
import { insertMatches, updateMatches } from './match-repository';
import type { Claim } from '../domain/facts';
import type { WorkingSet } from '../domain/working-set';

/**
 * Writes the changes of the decisions by kind, matches last because of their references. Nothing is awaited: the writes
 * are sent with COMMIT, and a failing write fails it.
 */
export function storeWorkingSet(
  tx: Transaction,
  { intents, evidence, matches, claims, earlySignals }: WorkingSet,
): void {
  insertIntents(tx, intents.added());
  updateIntents(tx, intents.changed());
  // A TrxID is released before another text uses it.
  deleteEvidence(tx, evidence.dropped());
  updateEvidence(tx, evidence.changed());
  insertEvidence(tx, evidence.added());
  keepEarlySignals(tx, [...earlySignals.added(), ...earlySignals.changed().map(({ after }) => after)]);
  insertMatches(tx, matches.added());
  updateMatches(tx, matches.changed());
  // An intent has at most one open claim of a TrxID: claims are settled before others are opened.
  const isSettled = ({ after }: { readonly after: Claim }) => after.state === 'SETTLED';
  updateClaims(tx, claims.changed().filter(isSettled));
  updateClaims(
    tx,
    claims.changed().filter((change) => !isSettled(change)),
  );
  insertClaims(tx, claims.added());
}
