/** Maximum time between two log-ins. Refreshing does not extend it. */
export const SESSION_DAYS = 30;
/**
 * Two tabs may send the same refresh token at the same time, so both get the same successor within this time. A later
 * use means that the token was stolen, and ends the session.
 */
export const GRACE_SECONDS = 10;

export type SessionEnd =
  'logout' | 'ended_elsewhere' | 'password_changed' | 'reuse_detected' | 'access_withdrawn' | 'two_factor_enabled';

export interface SessionState {
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  /** False if the membership or the merchant is inactive, or the person or the merchant is deleted. */
  readonly mayEnter: boolean;
}

/**
 * ended: the session is over. withdrawn: the person lost access, so the session must be ended. rotate: first use of the
 * token. repeat: second use within the grace period. reuse: later use, so the token may be stolen.
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
