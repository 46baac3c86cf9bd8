import type { Database } from '@pay/persistence';
import { deleteExpiredAttempts } from './adapters/login-limits';
import { deleteExpiredBrowsers } from './db/known-browsers';
import { deleteOldNotices } from './db/notices';
import { deleteExpiredSessions } from './db/sessions';

const BATCH = 1_000;
/** A run ends after this many batches even if there is more: the next run is near. */
const MOST_BATCHES = 50;

/** Deletes sessions past their thirty days, attempts that count no more, browsers and notices of long ago, in small transactions. */
export async function sweepSignIn({ db, now }: { readonly db: Database; readonly now: () => Date }): Promise<void> {
  await inBatches(() => deleteExpiredSessions(db, now(), BATCH));
  await inBatches(() => deleteExpiredAttempts(db, now(), BATCH));
  await inBatches(() => deleteExpiredBrowsers(db, now(), BATCH));
  await inBatches(() => deleteOldNotices(db, now(), BATCH));
}

async function inBatches(deleteOne: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await deleteOne()) < BATCH) return;
  }
}
