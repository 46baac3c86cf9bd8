import { liveProgress, sandboxProgress, type LiveFacts } from './progress';

const KEY = { state: 'ACTIVE', createdAt: '2026-11-23T10:00:00Z', expiresAt: null, lastUsedAt: null } as const;
const NOTHING: LiveFacts = {
  receivers: [],
  apiKeys: [],
  endpoints: [],
  paid: 0,
  hasSecondFactor: false,
  devices: [],
  testRuns: [],
  support: { phone: null, email: null },
  testCases: ['expired', 'cancelled'],
};
const phone = (status: 'ONLINE' | 'OFFLINE', ...receiverAccountIds: string[]) => ({
  status,
  sims: [{ simSlot: null, receiverAccountIds }],
});

describe('sandboxProgress', () => {
  it('has nothing done for an empty merchant', () => {
    expect(sandboxProgress(NOTHING)).toEqual({ receiver: false, apiKey: false, endpoint: false, paid: false });
  });

  it('has every step done with an active number, a key, a verified endpoint and a paid order', () => {
    const receivers = [{ id: 'r1', isActive: true }];
    const endpoints = [{ isActive: true, isVerified: true }];
    expect(sandboxProgress({ receivers, apiKeys: [KEY], endpoints, paid: 1 })).toEqual({
      receiver: true,
      apiKey: true,
      endpoint: true,
      paid: true,
    });
  });

  it.each([
    ['a revoked key', { state: 'REVOKED' as const }],
    ['the key of test runs, which lives a day', { expiresAt: '2026-11-24T10:00:00Z' }],
  ])('does not count %s', (_what, change) => {
    expect(sandboxProgress({ ...NOTHING, apiKeys: [{ ...KEY, ...change }] }).apiKey).toBe(false);
  });

  it('counts neither an inactive number nor an endpoint that is not verified', () => {
    const receivers = [{ id: 'r1', isActive: false }];
    const endpoints = [{ isActive: true, isVerified: false }];
    expect(sandboxProgress({ ...NOTHING, receivers, endpoints })).toMatchObject({ receiver: false, endpoint: false });
  });

  it('leaves a step without data undefined', () => {
    expect(sandboxProgress({ ...NOTHING, apiKeys: undefined }).apiKey).toBeUndefined();
  });
});

describe('liveProgress', () => {
  const receivers = [
    { id: 'r1', isActive: true },
    { id: 'r2', isActive: true },
    { id: 'r3', isActive: false },
  ];

  it.each([
    ['every active number has a phone that is online', [phone('ONLINE', 'r1'), phone('ONLINE', 'r2')], true],
    ['one active number has no phone', [phone('ONLINE', 'r1')], false],
    ['the phone of a number is silent', [phone('ONLINE', 'r1'), phone('OFFLINE', 'r2')], false],
  ] as const)('phone: %s', (_when, devices, isDone) => {
    expect(liveProgress({ ...NOTHING, receivers, devices }).phone).toBe(isDone);
  });

  it('phone: is not done without a number', () => {
    expect(liveProgress({ ...NOTHING, devices: [phone('ONLINE')] }).phone).toBe(false);
  });

  it.each([
    ['the newest run of each case passed or was skipped', ['PASSED', 'SKIPPED'], true],
    ['a case failed', ['PASSED', 'FAILED'], false],
    ['a case is running', ['PASSED', null], false],
    ['all were skipped', ['SKIPPED', 'SKIPPED'], false],
  ] as const)('test cases: %s', (_when, [expired, cancelled], isDone) => {
    const testRuns = [
      { testCase: 'expired', result: expired },
      { testCase: 'cancelled', result: cancelled },
      // An older run does not count.
      { testCase: 'cancelled', result: 'FAILED' },
    ] as const;
    expect(liveProgress({ ...NOTHING, testRuns }).testCases).toBe(isDone);
  });

  it('test cases: is not done while one was never played', () => {
    const testRuns = [{ testCase: 'expired', result: 'PASSED' }] as const;
    expect(liveProgress({ ...NOTHING, testRuns }).testCases).toBe(false);
  });

  it('contains whether the shop has used its key, and has a contact and a second factor', () => {
    const facts = {
      apiKeys: [{ ...KEY, lastUsedAt: '2026-11-23T11:00:00Z' }],
      hasSecondFactor: true,
      support: { phone: null, email: 'help@shop.example' },
    };
    expect(liveProgress({ ...NOTHING, ...facts })).toMatchObject({ keyUsed: true, support: true, secondFactor: true });
    expect(liveProgress(NOTHING)).toMatchObject({ keyUsed: false, support: false, secondFactor: false });
  });
});
