import { createLogger } from '@pay/runtime';
import type { WebhookRequest, WebhookResponse } from '../adapters/webhook-client';
import type { LeasedDelivery } from './delivery-repository';
import type { AttemptReport } from './record-attempts';
import { sendDelivery, type SendDeps } from './send-delivery';

const NOW = new Date('2026-11-21T10:00:00.500Z');
const delivery: LeasedDelivery = {
  id: '0192f0c1-0000-7000-8000-00000000000a',
  endpointId: '0192f0c1-0000-7000-8000-00000000000b',
  environment: 'SANDBOX',
  paymentIntentId: '0192f0c1-0000-7000-8000-00000000000c',
  eventType: 'payment.paid',
  occurredAt: new Date('2026-11-21T10:00:00.000Z'),
  idempotencyKey: 'payment.paid:0192f0c1-0000-7000-8000-00000000000c',
  body: '{}',
  attempt: 1,
  scheduleFrom: 0,
  earlyFailures: null,
  url: 'https://shop.example/hooks',
  isVerified: false,
  sealedSecret: 'k1:sealed',
  nextSealedSecret: null,
  goneAt: null,
  isFailing: false,
  recoveredAt: null,
  trigger: 'schedule',
  isRequested: false,
};
const connectionLoss = Object.assign(new Error('terminated'), { code: 'ECONNRESET' });

function underTest(over: Partial<SendDeps> = {}, response: Partial<WebhookResponse> = {}) {
  const requests: WebhookRequest[] = [];
  const reports: AttemptReport[] = [];
  const lines: Record<string, unknown>[] = [];
  const firstAttempts: number[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const deps: SendDeps = {
    client: {
      post: async (request) => {
        requests.push(request);
        return { outcome: 'HTTP_5XX', httpStatus: 500, totalMs: 7, ...response };
      },
    },
    secrets: { open: () => 'the-open-secret' },
    record: async (report) => {
      reports.push(report);
      return { stored: { status: 'RETRYING', waitSeconds: 5 } as const, switchedOff: false };
    },
    metrics: { attempted: () => undefined, firstAttempt: (_environment, seconds) => void firstAttempts.push(seconds) },
    log: createLogger({ service: 'webhook-dispatcher', level: 'info', destination }),
    timeScale: 1,
    now: () => NOW,
    random: () => 0.5,
    clock: () => 0,
    ...over,
  };
  return { deps, requests, reports, lines, firstAttempts };
}

test('a failure is recorded with the wait of its attempt, jitter and time scale included', async () => {
  const { deps, reports } = underTest({ timeScale: 0.1 });
  const sent = sendDelivery(deps, { ...delivery, attempt: 3 });
  await sent.recorded;

  expect(await sent.answered).toEqual({ ok: false, ms: 7 });
  expect(reports).toEqual([
    expect.objectContaining({ attempt: 3, outcome: 'HTTP_5XX', status: 'RETRYING', httpStatus: 500 }),
  ]);
  expect(reports[0]?.waitSeconds).toBeCloseTo(30 * 1.1 * 0.1);
});

test.each([
  ['HTTP_REDIRECT', 301],
  ['GONE', 410],
  ['HTTP_4XX', 429],
  ['HTTP_5XX', 500],
] as const)('Retry-After of %s %i is honoured', async (outcome, httpStatus) => {
  const { deps, reports } = underTest({ random: () => 0 }, { outcome, httpStatus, retryAfter: '60' });
  await sendDelivery(deps, delivery).recorded;

  expect(reports).toMatchObject([{ status: 'RETRYING', waitSeconds: 5, askedSeconds: 60 }]);
});

test.each([
  ['a scheduled attempt', 'schedule', null, { earlyFailures: null, earlyWaitSeconds: null }],
  ['an early attempt', 'schedule', 1, { earlyFailures: 2, earlyWaitSeconds: 1.5 }],
  ['an early probe', 'probe', 0, { earlyFailures: 0, earlyWaitSeconds: null }],
  ['a probe with a delivery that has failed early', 'probe', 2, { earlyFailures: 3, earlyWaitSeconds: 60 }],
] as const)('the failure of %s is recorded with its number of early failures', async (_, trigger, before, expected) => {
  const { deps, reports } = underTest({ random: () => 0, timeScale: 0.1 });
  await sendDelivery(deps, { ...delivery, trigger, earlyFailures: before }).recorded;

  expect(reports).toMatchObject([expected]);
});

test('only the first attempt at an endpoint that answered when the event happened counts for the latency', async () => {
  const { deps, firstAttempts } = underTest();
  await sendDelivery(deps, delivery).recorded;
  await sendDelivery(deps, { ...delivery, attempt: 2 }).recorded;
  await sendDelivery(deps, { ...delivery, isFailing: true }).recorded;
  const { occurredAt } = delivery;
  await sendDelivery(deps, { ...delivery, recoveredAt: new Date(occurredAt.getTime() + 1) }).recorded;
  await sendDelivery(deps, { ...delivery, recoveredAt: occurredAt }).recorded;

  expect(firstAttempts).toEqual([0.5, 0.5]);
});

test.each(['recover', 'resend', 'probe'] as const)(
  'the first attempt with the trigger %s does not count for the latency',
  async (trigger) => {
    const { deps, firstAttempts } = underTest();
    await sendDelivery(deps, { ...delivery, trigger }).recorded;

    expect(firstAttempts).toEqual([]);
  },
);

test('a secret that cannot be decrypted sends nothing and is retried as an internal failure', async () => {
  const secrets = {
    open: () => {
      throw new Error('encrypted with a key that is not configured');
    },
  };
  const { deps, requests, reports, lines } = underTest({ secrets });
  await sendDelivery(deps, delivery).recorded;

  expect(requests).toEqual([]);
  expect(reports).toEqual([expect.objectContaining({ outcome: 'INTERNAL', status: 'RETRYING', httpStatus: null })]);
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'delivery.not_sent', deliveryId: delivery.id }));
});

test('the result is kept while the database is unavailable and written afterwards', async () => {
  let failures = 1;
  const record = jest.fn(async () => {
    if (failures-- > 0) throw connectionLoss;
    return { stored: { status: 'RETRYING', waitSeconds: 5 } as const, switchedOff: false };
  });
  const { deps, lines } = underTest({ record }, { outcome: 'SUCCESS', httpStatus: 200 });
  await sendDelivery(deps, delivery).recorded;

  expect(record).toHaveBeenCalledTimes(2);
  expect(lines.map(({ msg }) => msg)).toEqual(['delivery.attempted']);
});

test('logs the status and the wait that were stored, which may differ from those of the attempt', async () => {
  const stored = { status: 'PENDING', waitSeconds: 59.96 } as const;
  const record = () => Promise.resolve({ stored, switchedOff: false });
  const { deps, lines } = underTest({ record }, { outcome: 'SUCCESS', httpStatus: 200 });
  await sendDelivery(deps, delivery).recorded;

  expect(lines).toMatchObject([{ msg: 'delivery.attempted', status: 'PENDING', nextAttemptInSeconds: 60 }]);
});

test('logs no status of a delivery that another process has claimed', async () => {
  const record = () => Promise.resolve({ stored: undefined, switchedOff: false });
  const { deps, lines } = underTest({ record });
  await sendDelivery(deps, delivery).recorded;

  expect(lines).toMatchObject([{ msg: 'delivery.attempted', isRecorded: false }]);
  expect(lines[0]).not.toHaveProperty('status');
  expect(lines[0]).not.toHaveProperty('nextAttemptInSeconds');
});

test('abandons and logs a result that cannot be stored within its lease', async () => {
  const times = [0, 50_000];
  const record = jest.fn(() => Promise.reject(connectionLoss));
  const { deps, lines } = underTest({ record, clock: () => times.shift() ?? 50_000 });
  await sendDelivery(deps, delivery).recorded;

  expect(record).toHaveBeenCalledTimes(1);
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'delivery.not_recorded' }));
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'delivery.attempted', isRecorded: false }));
});

test('logs once, by id, that a second 410 switched an endpoint off', async () => {
  const record = () => Promise.resolve({ stored: { status: 'RETRYING', waitSeconds: 5 } as const, switchedOff: true });
  const { deps, lines } = underTest({ record }, { outcome: 'GONE', httpStatus: 410 });
  await sendDelivery(deps, delivery).recorded;

  expect(lines.filter(({ msg }) => msg === 'endpoint.switched_off')).toEqual([
    expect.objectContaining({ endpointId: delivery.endpointId }),
  ]);
});

test('the log and the metrics have the internal reason, and the record has the one for merchants', async () => {
  const attempted = jest.fn();
  const internal = { outcome: 'BLOCKED_DNS', detail: 'ADDRESS_NOT_ALLOWED' } as const;
  const response = { outcome: 'DNS', detail: 'NO_PUBLIC_ADDRESS', internal } as const;
  const { deps, reports, lines } = underTest({ metrics: { attempted, firstAttempt: () => undefined } }, response);
  await sendDelivery(deps, delivery).recorded;

  expect(reports).toEqual([expect.objectContaining({ outcome: 'DNS', detail: 'NO_PUBLIC_ADDRESS' })]);
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'delivery.attempted', ...internal }));
  expect(attempted).toHaveBeenCalledWith('SANDBOX', 'BLOCKED_DNS', expect.any(Number));
});

describe('a kept socket that the endpoint had closed', () => {
  const stale = { outcome: 'STALE_SOCKET', detail: 'UND_ERR_SOCKET' } as const;

  test('is recorded without a wait; the delivery is handed over as its next attempt, in the same place of its schedule', async () => {
    const { deps, reports, requests } = underTest({ clock: () => 1_000 }, stale);
    const again = await sendDelivery(deps, { ...delivery, attempt: 3, scheduleFrom: 1 }).recorded;

    expect(reports).toMatchObject([{ attempt: 3, outcome: 'STALE_SOCKET', status: 'AGAIN', waitSeconds: null }]);
    expect(again).toMatchObject({ leasedAt: 1_000, item: { id: delivery.id, attempt: 4, scheduleFrom: 2 } });
    await sendDelivery(deps, again!.item).recorded;
    expect(requests.map(({ onFreshSocket }) => onFreshSocket)).toEqual([false, true]);
  });

  test('is not sent again by a process that has lost the lease', async () => {
    const record = () => Promise.resolve({ stored: undefined, switchedOff: false });

    expect(await sendDelivery(underTest({ record }, stale).deps, delivery).recorded).toBeUndefined();
  });
});
