import { allowsMove, endAfterOverlap, stateOf, type ApiKeyMove, type ApiKeyState } from './api-key-lifetime';

const NOW = new Date('2026-11-21T10:00:00Z');
const EARLIER = new Date('2026-11-21T09:59:59Z');
const LATER = new Date('2026-11-21T10:00:01Z');

const MOVES: readonly ApiKeyMove[] = ['rename', 'lock', 'unlock', 'rotate', 'revoke'];

describe('the life of an API key', () => {
  it.each<[string, { isLocked: boolean; expiresAt: Date | null; revokedAt: Date | null }, ApiKeyState]>([
    ['a fresh one', { isLocked: false, expiresAt: null, revokedAt: null }, 'ACTIVE'],
    ['one that ends later', { isLocked: false, expiresAt: LATER, revokedAt: null }, 'ACTIVE'],
    ['one that ends now', { isLocked: false, expiresAt: NOW, revokedAt: null }, 'EXPIRED'],
    ['a locked one', { isLocked: true, expiresAt: LATER, revokedAt: null }, 'LOCKED'],
    ['a locked one whose time is over', { isLocked: true, expiresAt: EARLIER, revokedAt: null }, 'EXPIRED'],
    ['a revoked one, whatever else', { isLocked: true, expiresAt: EARLIER, revokedAt: EARLIER }, 'REVOKED'],
    ['one revoked by a clock ahead of ours', { isLocked: false, expiresAt: null, revokedAt: LATER }, 'REVOKED'],
  ])('%s', (_name, key, state) => {
    expect(stateOf(key, NOW)).toBe(state);
  });

  it.each<[ApiKeyState, readonly ApiKeyMove[]]>([
    ['ACTIVE', MOVES],
    ['LOCKED', ['rename', 'lock', 'unlock', 'revoke']],
    ['EXPIRED', ['revoke']],
    ['REVOKED', ['revoke']],
  ])('%s allows exactly these moves', (state, moves) => {
    expect(MOVES.filter((move) => allowsMove(state, move))).toEqual(moves);
  });

  it('ends a replaced key after the overlap, never later than before, and immediately without an overlap', () => {
    expect(endAfterOverlap({ expiresAt: null }, 1, NOW)).toEqual({ expiresAt: LATER });
    expect(endAfterOverlap({ expiresAt: LATER }, 3_600, NOW)).toEqual({ expiresAt: LATER });
    expect(endAfterOverlap({ expiresAt: null }, 0, NOW)).toEqual({ revokedAt: NOW });
  });
});
