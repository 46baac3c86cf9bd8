import type { Transaction } from '@pay/persistence';
import { insertClaims, updateClaims } from './db/claims';
import { insertEvidence, updateEvidence } from './db/evidence';
import { insertIntents, updateIntents } from './db/intents';
import { insertMatches, updateMatches } from './db/matches';
import type { Docket } from './domain/docket';

/** Writes what the decisions have changed, kind by kind; matches last, because they refer to the others. */
export async function storeDocket(tx: Transaction, { intents, evidence, matches, claims }: Docket): Promise<void> {
  await insertIntents(tx, intents.added());
  await updateIntents(tx, intents.changed());
  await insertEvidence(tx, evidence.added());
  await updateEvidence(tx, evidence.changed());
  await insertMatches(tx, matches.added());
  await updateMatches(tx, matches.changed());
  await insertClaims(tx, claims.added());
  await updateClaims(tx, claims.changed());
}
