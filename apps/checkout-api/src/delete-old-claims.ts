import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { deleteOldClaims as deleteBatch } from './db/claims';

export interface DeleteOldClaimsDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly now: () => Date;
  /** Claims are deleted this many days after they were submitted. */
  readonly claimRetentionDays: number;
}

const DAY_MS = 86_400_000;
/** Claims deleted in one transaction. */
const BATCH = 1_000;

/** Deletes claims that are past their retention, in short transactions. A claim that is being judged is left to the next run. */
export async function deleteOldClaims(deps: DeleteOldClaimsDeps, signal: AbortSignal): Promise<void> {
  const { db, log, now, claimRetentionDays } = deps;
  const before = new Date(now().getTime() - claimRetentionDays * DAY_MS);
  let total = 0;
  let deleted = BATCH;
  while (deleted === BATCH && !signal.aborted) {
    deleted = await db.transaction((tx) => deleteBatch(tx, before, BATCH));
    total += deleted;
  }
  if (total > 0) log.info({ claims: total }, 'claims.deleted');
}
