import type { Transaction } from '@pay/persistence';
import { insertClaims, updateClaims } from './claim-repository';
import { deleteEvidence, insertEvidence, keepEarlySignals, updateEvidence } from './evidence-repository';
import { insertIntents, updateIntents } from './intent-repository';
import { insertMatches, updateMatches } from './match-repository';
import type { WorkingSet } from '../domain/working-set';

/**
 * Writes what the decisions have changed, kind by kind, matches after what they refer to. Nothing is waited for: the
 * writes travel with COMMIT, and one that fails fails it.
 */
export function storeWorkingSet(
  tx: Transaction,
  { intents, evidence, matches, claims, earlySignals }: WorkingSet,
): void {
  insertIntents(tx, intents.added());
  updateIntents(tx, intents.changed());
  // A TrxID is free before another text takes it.
  deleteEvidence(tx, evidence.dropped());
  updateEvidence(tx, evidence.changed());
  insertEvidence(tx, evidence.added());
  keepEarlySignals(tx, [...earlySignals.added(), ...earlySignals.changed().map(({ after }) => after)]);
  insertMatches(tx, matches.added());
  updateMatches(tx, matches.changed());
  insertClaims(tx, claims.added());
  updateClaims(tx, claims.changed());
}
