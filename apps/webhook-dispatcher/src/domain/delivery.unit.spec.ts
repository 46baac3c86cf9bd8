import { LONGEST_BREAK_SECONDS, SOONEST_GAIN_SECONDS } from './breaker';
import { RETRY_SCHEDULE, retrySchedule, settle, type AttemptResult } from './delivery';
import { classOfStatus } from './outcome';

const failed = (over: Partial<AttemptResult> = {}): AttemptResult => ({
  environment: 'LIVE',
  attempt: 1,
  outcome: 'HTTP_5XX',
  earlyFailures: null,
  isProbe: false,
  random: 0,
  ...over,
});
const waitOf = (result: AttemptResult): number => {
  const settlement = settle(result);
  if (settlement.status !== 'RETRYING') throw new Error(`expected RETRYING, got ${settlement.status}`);
  return Math.max(settlement.waitSeconds, settlement.askedSeconds);
};
const cumulative = (waits: readonly number[]): number[] =>
  waits.map((_, index) => waits.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0));

const MINUTE = 60;
const HOUR = 3_600;

describe('retry schedule', () => {
  test('LIVE makes 18 attempts at the published times, 111.8 hours in all', () => {
    const table = [5, 20, 50, MINUTE + 50, 3 * MINUTE + 50, 8 * MINUTE + 50, 18 * MINUTE + 50, 48 * MINUTE + 50].concat(
      [1, 3, 7, 15, 27, 39, 63, 87, 111].map((hours) => hours * HOUR + 48 * MINUTE + 50),
    );

    expect(cumulative(RETRY_SCHEDULE)).toEqual(table);
    expect(retrySchedule('LIVE')).toHaveLength(17);
  });

  test('four attempts start in the first minute, seven in ten minutes, nine in the first hour', () => {
    const starts = [0, ...cumulative(retrySchedule('LIVE'))];

    expect([MINUTE, 10 * MINUTE, HOUR].map((end) => starts.filter((start) => start <= end).length)).toEqual([4, 7, 9]);
  });

  test('SANDBOX makes six attempts in 3 min 50 s', () => {
    expect(retrySchedule('SANDBOX')).toEqual([5, 15, 30, 60, 120]);
    expect(cumulative(retrySchedule('SANDBOX')).at(-1)).toBe(230);
  });
});

describe('settling an attempt', () => {
  test('each failed attempt waits as its entry in the schedule states', () => {
    const waits = RETRY_SCHEDULE.map((_, index) => waitOf(failed({ attempt: index + 1 })));

    expect(waits).toEqual(RETRY_SCHEDULE);
  });

  test.each([
    ['LIVE', 18],
    ['SANDBOX', 6],
  ] as const)('%s: the attempt after the last entry (%i) fails the delivery', (environment, last) => {
    expect(settle(failed({ environment, attempt: last - 1 })).status).toBe('RETRYING');
    expect(settle(failed({ environment, attempt: last }))).toEqual({ status: 'FAILED' });
  });

  test('a success at any attempt, also the last, leads to DELIVERED', () => {
    expect(settle(failed({ outcome: 'SUCCESS' }))).toEqual({ status: 'DELIVERED' });
    expect(settle(failed({ outcome: 'SUCCESS', attempt: 18 }))).toEqual({ status: 'DELIVERED' });
  });

  test('a stale socket does not use up a scheduled attempt, also at the last attempt', () => {
    for (const attempt of [1, 18]) {
      expect(settle(failed({ outcome: 'STALE_SOCKET', attempt }))).toEqual({ status: 'AGAIN' });
    }
  });

  test('jitter only adds, up to 20 percent', () => {
    expect(waitOf(failed({ random: 0 }))).toBe(5);
    expect(waitOf(failed({ random: 0.5 }))).toBeCloseTo(5.5);
    expect(waitOf(failed({ random: 0.999_999 }))).toBeLessThanOrEqual(6);
  });

  test('a wait that the endpoint asked for also has jitter, and leaves the schedule unchanged', () => {
    expect(settle(failed({ retryAfterSeconds: 60, random: 0.25 }))).toEqual({
      status: 'RETRYING',
      waitSeconds: 5.25,
      askedSeconds: 63,
      earlyWaitSeconds: null,
      earlyFailures: null,
    });
  });

  const earlyWaitOf = (over: Partial<AttemptResult>) => {
    const settlement = settle(failed({ attempt: 13, ...over }));
    return settlement.status === 'RETRYING' ? settlement.earlyWaitSeconds : undefined;
  };

  test('a delivery that fails early is sent early again after the waits of the schedule, from its beginning', () => {
    expect(RETRY_SCHEDULE.map((_, earlyFailures) => earlyWaitOf({ earlyFailures }))).toEqual(RETRY_SCHEDULE);
    expect(earlyWaitOf({ earlyFailures: 0, random: 0.5 })).toBeCloseTo(5.5);
  });

  test.each([
    ['the attempt was scheduled', { earlyFailures: null }],
    ['it was a probe', { earlyFailures: 0, isProbe: true }],
    ['a schedule of early attempts has ended', { earlyFailures: 5, environment: 'SANDBOX' }],
  ] as const)('a failed delivery is not sent early again when %s', (_, over) => {
    expect(earlyWaitOf({ ...over, attempt: 5 })).toBeNull();
  });

  test('a delivery that fails early waits as its endpoint asks, but no shorter than its early wait', () => {
    expect([1, 10, 700].map((retryAfterSeconds) => earlyWaitOf({ earlyFailures: 0, retryAfterSeconds }))).toEqual([
      5, 10, 700,
    ]);
  });

  test('a probe counts only of a delivery that has failed early before, up to a limit, and its wait exceeds any pause', () => {
    const probed = (earlyFailures: number) => settle(failed({ attempt: 13, earlyFailures, isProbe: true }));

    expect([0, 1, 7, 8, 10].map(probed)).toMatchObject([
      { earlyFailures: 0, earlyWaitSeconds: null },
      { earlyFailures: 2, earlyWaitSeconds: 600 },
      { earlyFailures: 8, earlyWaitSeconds: 1_800 },
      { earlyFailures: 8, earlyWaitSeconds: 1_800 },
      { earlyFailures: 10, earlyWaitSeconds: 7_200 },
    ]);
    expect(600).toBeGreaterThan(LONGEST_BREAK_SECONDS + SOONEST_GAIN_SECONDS);
  });

  test('a blocked literal address fails immediately, a blocked DNS answer is tried again', () => {
    expect(settle(failed({ outcome: 'BLOCKED' }))).toEqual({ status: 'FAILED' });
    expect(settle(failed({ outcome: 'BLOCKED_DNS' })).status).toBe('RETRYING');
  });

  test.each([
    ['less than planned is ignored', 1, 2, 5],
    ['more than planned is honoured', 1, 90, 90],
    ['never beyond ten minutes while waits are short', 1, 4_000, 600],
    ['beyond ten minutes up to twice the planned wait', 8, 4_000, 3_600],
    ['up to twice a planned 10 minutes', 7, 4_000, 1_200],
    ['never beyond an hour', 9, 7_000, 3_600],
    ['never shortens a wait that is longer than an hour', 12, 7_000, 28_800],
  ])('Retry-After: %s', (_, attempt, retryAfterSeconds, expected) => {
    expect(waitOf(failed({ attempt, retryAfterSeconds }))).toBe(expected);
  });

  test.each([
    'HTTP_REDIRECT',
    'GONE',
    'HTTP_4XX',
    'DNS',
    'CONNECT',
    'TLS',
    'RESET',
    'TIMEOUT',
    'PROTOCOL',
    'INTERNAL',
    'UNKNOWN',
  ] as const)('%s is tried again', (outcome) => {
    expect(settle(failed({ outcome })).status).toBe('RETRYING');
  });
});

test.each([
  [200, 'SUCCESS'],
  [202, 'SUCCESS'],
  [204, 'SUCCESS'],
  [299, 'SUCCESS'],
  [300, 'HTTP_REDIRECT'],
  [301, 'HTTP_REDIRECT'],
  [308, 'HTTP_REDIRECT'],
  [400, 'HTTP_4XX'],
  [401, 'HTTP_4XX'],
  [410, 'GONE'],
  [429, 'HTTP_4XX'],
  [500, 'HTTP_5XX'],
  [599, 'HTTP_5XX'],
  [999, 'HTTP_5XX'],
])('status %i is %s', (status, expected) => {
  expect(classOfStatus(status)).toBe(expected);
});
