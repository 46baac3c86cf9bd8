import { parseRetryAfter } from './retry-after';

const NOW = new Date('2026-11-21T10:00:00Z');

test.each([
  ['seconds', '120', 120],
  ['seconds with blanks around', ' 7 ', 7],
  ['a date ahead', 'Sat, 21 Nov 2026 10:02:00 GMT', 120],
  ['a date gone by', 'Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['nothing', undefined, undefined],
  ['an empty header', '', undefined],
  ['a negative number', '-5', undefined],
  ['a fraction', '1.5', undefined],
  ['words', 'tomorrow', undefined],
  ['an ISO date', '2026-11-21T10:02:00Z', undefined],
  ['a date that does not exist', 'Sat, 99 Nov 2026 10:02:00 GMT', undefined],
])('Retry-After with %s', (_, header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});
