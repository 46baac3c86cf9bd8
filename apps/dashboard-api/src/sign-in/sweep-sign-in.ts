import { deleteOldRows, type Database } from '@pay/persistence';
import { expiredAttempts } from './login-attempt-repository';
import { expiredBrowsers } from './known-browser-repository';
import { oldNotices } from '../people/notice-repository';
import { expiredSessions } from './session-repository';

export interface SweepSignInDeps {
  readonly db: Database;
  readonly now: () => Date;
}

/** Deletes sessions past their thirty days, attempts that count no more, browsers and notices of long ago. */
export async function sweepSignIn({ db, now }: SweepSignInDeps, signal: AbortSignal): Promise<void> {
  const at = now();
  await deleteOldRows(db, [expiredSessions(at), expiredAttempts(at), expiredBrowsers(at), oldNotices(at)], signal);
}
