import { isOpen, refreshOutcome, sessionExpiry } from './session';

const NOW = new Date('2026-11-21T10:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const open = { expiresAt: new Date('2026-12-01T10:00:00Z'), endedAt: null, mayEnter: true };

describe('judgeRefresh', () => {
  it.each([
    ['a token that was never used', open, null, 'rotate'],
    ['a token used ten seconds ago', open, ago(10), 'repeat'],
    ['a token used eleven seconds ago', open, ago(11), 'reuse'],
    ['a session that has been ended', { ...open, endedAt: ago(1) }, null, 'ended'],
    ['a session past its thirty days', { ...open, expiresAt: NOW }, null, 'ended'],
    ['a person who may not enter any more', { ...open, mayEnter: false }, null, 'withdrawn'],
    ['an old token of a session that has been ended', { ...open, endedAt: ago(1) }, ago(60), 'ended'],
  ] as const)('%s', (_what, session, usedAt, outcome) => {
    expect(refreshOutcome(session, usedAt, NOW)).toBe(outcome);
  });

  it('a session lasts thirty days from log-in', () => {
    const expiresAt = sessionExpiry(NOW);

    expect(expiresAt.toISOString()).toBe('2026-12-21T10:00:00.000Z');
    expect(isOpen({ ...open, expiresAt }, new Date(expiresAt.getTime() - 1))).toBe(true);
    expect(isOpen({ ...open, expiresAt }, expiresAt)).toBe(false);
  });
});
