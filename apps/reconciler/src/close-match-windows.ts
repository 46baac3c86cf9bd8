import { retryOnConflict, type Database } from '@pay/persistence';
import { findPastWindow } from './db/evidence';
import { judgeBatch, type JudgeDeps } from './judge-batch';

export interface CloseMatchWindowsDeps extends JudgeDeps {
  readonly db: Database;
}

const BATCH = 200;

/** Ends the wait of evidence that nothing has led to an intent for the whole match window. After that only a person links it. */
export async function closeMatchWindows(deps: CloseMatchWindowsDeps, signal: AbortSignal): Promise<void> {
  let found = BATCH;
  while (found === BATCH && !signal.aborted) {
    const arrivals = await findPastWindow(deps.db, deps.settings.matchWindowMs, BATCH);
    if (arrivals.length > 0) await retryOnConflict(deps.db, (tx) => judgeBatch(deps, tx, arrivals));
    found = arrivals.length;
  }
}
