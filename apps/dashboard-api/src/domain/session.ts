/** Maximum time between two log-ins; refreshing the session does not extend it. */
export const SESSION_DAYS = 30;
/**
 * Two tabs that wake up together send the same refresh token, so both get the same successor within this time. Later,
 * an old token means that it was stolen, and the session ends.
 */
export const GRACE_SECONDS = 10;

export type SessionEnd =
  'logout' | 'ended_elsewhere' | 'password_changed' | 'reuse_detected' | 'access_withdrawn' | 'two_factor_enabled';

export interface SessionState {
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  /** The person and their merchant are there and switched on. */
  readonly mayEnter: boolean;
}

/**
 * ended: nothing to renew. withdrawn: to be ended. rotate: the token's first use. repeat: a second tab. reuse: the
 * token is in two hands.
 */
export type RefreshOutcome = 'ended' | 'withdrawn' | 'rotate' | 'repeat' | 'reuse';

export function sessionExpiry(now: Date): Date {
  return new Date(now.getTime() + SESSION_DAYS * 24 * 3_600_000);
}

export function isOpen(session: SessionState, now: Date): boolean {
  return session.endedAt === null && session.expiresAt > now && session.mayEnter;
}

export function refreshOutcome(session: SessionState, usedAt: Date | null, now: Date): RefreshOutcome {
  if (session.endedAt !== null || session.expiresAt <= now) return 'ended';
  if (!session.mayEnter) return 'withdrawn';
  if (usedAt === null) return 'rotate';
  return now.getTime() - usedAt.getTime() <= GRACE_SECONDS * 1_000 ? 'repeat' : 'reuse';
}
