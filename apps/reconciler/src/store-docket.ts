import type { Transaction } from '@pay/persistence';
import { insertClaims, updateClaims } from './db/claims';
import { insertEvidence, updateEvidence } from './db/evidence';
import { insertIntents, updateIntents } from './db/intents';
import { insertMatches, updateMatches } from './db/matches';
import type { Docket } from './domain/docket';

/**
 * Writes what the decisions have changed, kind by kind, matches after what they refer to. Nothing is waited for: the writes travel with
 * COMMIT, and one that fails fails it.
 */
export function storeDocket(tx: Transaction, { intents, evidence, matches, claims }: Docket): void {
  insertIntents(tx, intents.added());
  updateIntents(tx, intents.changed());
  insertEvidence(tx, evidence.added());
  updateEvidence(tx, evidence.changed());
  insertMatches(tx, matches.added());
  updateMatches(tx, matches.changed());
  insertClaims(tx, claims.added());
  updateClaims(tx, claims.changed());
}
