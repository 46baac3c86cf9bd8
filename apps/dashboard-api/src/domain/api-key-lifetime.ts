import type { ApiKeyRecord } from './records';

/**
 * ACTIVE <-> LOCKED by a user; both end as EXPIRED or REVOKED. These two states are final: a key that may have leaked
 * must not be enabled again by mistake.
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

/** Whether the move is allowed. A repeated request is allowed, too. */
export function allowsMove(state: ApiKeyState, move: ApiKeyMove): boolean {
  const moves: readonly ApiKeyMove[] = MOVES[state];
  return moves.includes(move);
}

/**
 * How a key that is replaced ends. An overlap never lengthens its life; without one it is revoked instead of expiring
 * this moment, because a clock that is behind would keep it alive.
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
