import { retryOnConflict, type Database } from '@pay/persistence';
import { settleLapsedClaims } from '../matching/claim-repository';
import { findPastWindow } from '../matching/evidence-repository';
import { decideBatch, type DecideDeps } from '../matching/decide-batch';

export interface CloseMatchWindowsDeps extends DecideDeps {
  readonly db: Database;
}

const BATCH = 200;

/**
 * Ends the match window of evidence that led to no intent, and of claims whose intent has ended. After that only a
 * person may link a payment.
 */
export async function closeMatchWindows(deps: CloseMatchWindowsDeps, signal: AbortSignal): Promise<void> {
  let found = BATCH;
  while (found === BATCH && !signal.aborted) {
    const arrivals = await findPastWindow(deps.db, deps.settings.matchWindowMs, BATCH);
    if (arrivals.length > 0) await retryOnConflict(deps.db, (tx) => decideBatch(deps, tx, arrivals));
    found = arrivals.length;
  }
  let settled = BATCH;
  while (settled === BATCH && !signal.aborted)
    settled = await settleLapsedClaims(deps.db, deps.settings.matchWindowMs, BATCH);
}
