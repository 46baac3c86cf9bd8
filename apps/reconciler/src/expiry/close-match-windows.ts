import { retryOnConflict, type Database } from '@pay/persistence';
import type { WindowArrival } from '../domain/arrivals';
import { settleLapsedClaims } from '../matching/claim-repository';
import { findPastWindow } from '../matching/evidence-repository';
import { decideBatch, type DecideDeps } from '../matching/decide-batch';
import { inHalves } from './in-halves';

export interface CloseMatchWindowsDeps extends DecideDeps {
  readonly db: Database;
}

const BATCH = 200;

/**
 * Ends the match window of evidence that led to no intent, and of claims without a text whose intent has ended. After
 * that only a person may link a payment.
 */
export async function closeMatchWindows(deps: CloseMatchWindowsDeps, signal: AbortSignal): Promise<void> {
  let hasMore = true;
  while (hasMore && !signal.aborted) {
    const arrivals = await findPastWindow(deps.db, deps.settings.matchWindowMs, BATCH);
    const ended = await endWindows(deps, arrivals);
    hasMore = arrivals.length === BATCH && ended > 0;
  }
  let settled = BATCH;
  while (settled === BATCH && !signal.aborted)
    settled = await settleLapsedClaims(deps.db, deps.settings.matchWindowMs, BATCH);
}

/** Returns how many have ended. */
function endWindows(deps: CloseMatchWindowsDeps, arrivals: readonly WindowArrival[]): Promise<number> {
  return inHalves(
    arrivals,
    (part) => retryOnConflict(deps.db, (tx) => decideBatch(deps, tx, part)),
    ({ tenant, smsEventId }, err) => deps.log.error({ ...tenant, smsEventId, err }, 'match_window.failed'),
  );
}
