import { deleteOldRows } from '@pay/persistence';
import { expiredAttempts } from './login-attempt-repository';
import { expiredBrowsers } from './known-browser-repository';
import { oldNotices } from './notice-repository';
import { expiredSessions } from './session-repository';
import type { ServiceDeps } from '../service-deps';

export type SweepSignInDeps = Pick<ServiceDeps, 'db' | 'now'>;

export async function sweepSignIn({ db, now }: SweepSignInDeps, signal: AbortSignal): Promise<void> {
  const at = now();
  await deleteOldRows(db, [expiredSessions(at), expiredAttempts(at), expiredBrowsers(at), oldNotices(at)], signal);
}
