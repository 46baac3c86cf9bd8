import { budgetOfPass } from './verify-chains';

it.each([
  ['its first day', 0, 250],
  ['its third day', 2.5, 750],
  ['any day after the fortieth', 100, 10_000],
  ['a database whose clock is ahead', -1, 250],
])('a round of a pass on %s has time for it', (_, days, expected) => {
  const now = new Date('2026-11-24T04:00:00.000Z');
  const startedAt = new Date(now.getTime() - days * 24 * 60 * 60_000);

  expect(budgetOfPass(startedAt, now, 250)).toBe(expected);
});
