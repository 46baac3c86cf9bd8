import type { ApiKeyRecord } from './records';

/**
 * A user may lock and unlock a key. EXPIRED and REVOKED are final, because a key that may have leaked must not be
 * enabled again by mistake.
 */
export type ApiKeyState = 'ACTIVE' | 'LOCKED' | 'EXPIRED' | 'REVOKED';
export type ApiKeyMove = 'rename' | 'lock' | 'unlock' | 'rotate' | 'revoke';

const MOVES = {
  ACTIVE: ['rename', 'lock', 'unlock', 'rotate', 'revoke'],
  LOCKED: ['rename', 'lock', 'unlock', 'revoke'],
  EXPIRED: ['revoke'],
  REVOKED: ['revoke'],
} as const satisfies Record<ApiKeyState, readonly ApiKeyMove[]>;

export function stateOf(key: Pick<ApiKeyRecord, 'isLocked' | 'expiresAt' | 'revokedAt'>, now: Date): ApiKeyState {
  if (key.revokedAt !== null) return 'REVOKED';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'EXPIRED';
  return key.isLocked ? 'LOCKED' : 'ACTIVE';
}

/** A move to the current state is allowed, so that a request can be repeated. */
export function allowsMove(state: ApiKeyState, move: ApiKeyMove): boolean {
  const moves: readonly ApiKeyMove[] = MOVES[state];
  return moves.includes(move);
}

/**
 * An overlap never extends the lifetime of the key. Without an overlap the key is revoked, because a service with a
 * slow clock would accept an expiring key for longer.
 */
export function endAfterOverlap(
  key: Pick<ApiKeyRecord, 'expiresAt'>,
  overlapSeconds: number,
  now: Date,
): Pick<ApiKeyRecord, 'expiresAt'> | { readonly revokedAt: Date } {
  if (overlapSeconds === 0) return { revokedAt: now };
  const end = new Date(now.getTime() + overlapSeconds * 1_000);
  return { expiresAt: key.expiresAt !== null && key.expiresAt < end ? key.expiresAt : end };
}
