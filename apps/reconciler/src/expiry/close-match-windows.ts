import { retryOnConflict, type Database } from '@pay/persistence';
import { findPastWindow } from '../matching/evidence-repository';
import { decideBatch, type DecideDeps } from '../matching/decide-batch';

export interface CloseMatchWindowsDeps extends DecideDeps {
  readonly db: Database;
}

const BATCH = 200;

/** Ends the match window of evidence that led to no intent. After that only a person may link it. */
export async function closeMatchWindows(deps: CloseMatchWindowsDeps, signal: AbortSignal): Promise<void> {
  let found = BATCH;
  while (found === BATCH && !signal.aborted) {
    const arrivals = await findPastWindow(deps.db, deps.settings.matchWindowMs, BATCH);
    if (arrivals.length > 0) await retryOnConflict(deps.db, (tx) => decideBatch(deps, tx, arrivals));
    found = arrivals.length;
  }
}
