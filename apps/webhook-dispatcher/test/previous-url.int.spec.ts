import type { Database, Transaction } from '@pay/persistence';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createAddressGuard } from '../src/adapters/address-guard';
import { claimDue, releaseLeases, type LeasedDelivery } from '../src/delivery/delivery-repository';
import { recordAttempts, type StoredResult } from '../src/delivery/attempt-result-repository';
import { attemptRecorder, type AttemptReport } from '../src/delivery/record-attempts';
import { releaseLeasesOf } from '../src/delivery/sender-repository';
import { changeEndpoint } from '../src/endpoints/change-endpoint';
import { changeEndpointRow, lockEndpoint, markVerified } from '../src/endpoints/endpoint-change-repository';
import { recordEndpointResults } from '../src/endpoints/endpoint-health-repository';
import { endpointsToNotify } from '../src/endpoints/endpoint-repository';
import { beginRecovery } from '../src/endpoints/recovery-request-repository';
import { pullForward } from '../src/recovery/due-again-repository';
import { recoverEndpoint } from '../src/recovery/recover-endpoint';
import { IDLE_ROOM, openBeforeAll } from './open-before-all';

failOnLeaks();

const URL = 'https://old.example';
const NEW_URL = 'https://new.example';
const DAY_SECONDS = 86_400;

describe('a delivery that was leased before a change of its endpoint', () => {
  let db: Database;
  openBeforeAll((opened) => (db = opened), { poolSize: 3 });
  const tenant = { merchantId: uuidv7(), environment: 'LIVE' } as const;
  const workerId = uuidv7();
  let endpointId: string;

  beforeEach(async () => {
    await db.execute('truncate endpoints, deliveries, attempts, recoveries, senders');
    endpointId = uuidv7();
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, is_verified)
       values ($1, $2, $3, $4, '{payment.paid}', 'x', true)`,
      [endpointId, tenant.merchantId, tenant.environment, URL],
    );
    await insertDelivery();
    await db.execute('insert into senders (id) values ($1)', [workerId]);
  });

  const insertDelivery = () =>
    db.execute(
      `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
         next_attempt_at)
       select id, $1, $2, $3, id, 'webhook.test', now(), id::text, '{}', now() from (select gen_random_uuid() as id) new`,
      [endpointId, tenant.merchantId, tenant.environment],
    );
  const claimAll = () => claimDue(db, workerId, IDLE_ROOM, [tenant.environment]);
  const claim = async (): Promise<LeasedDelivery | undefined> => (await claimAll())[0];
  const claimed = async (): Promise<LeasedDelivery> => {
    const delivery = await claim();
    if (delivery === undefined) throw new Error('no delivery is due');
    return delivery;
  };
  const change = (change: Parameters<typeof changeEndpoint>[3]) =>
    changeEndpoint(
      {
        db,
        guard: createAddressGuard([]),
        newId: uuidv7,
        now: () => new Date(),
        wakeRecoveries: () => undefined,
        endpointChanged: () => undefined,
      },
      tenant,
      endpointId,
      change,
    );
  const moveUrl = () => change({ url: NEW_URL, eventTypes: undefined });
  const switchOn = () => change({ isActive: true, eventTypes: undefined });
  const recover = () =>
    recoverEndpoint(
      { db, verifiedEnvironments: [], newId: uuidv7, now: () => new Date(), wakeRecoveries: () => undefined },
      tenant,
      endpointId,
      new Date(0),
    );
  /** Closes its breaker. */
  const comeBack = async () => {
    await db.execute('update endpoints set failing_since = now(), breaker_until = now()');
    const success = { succeeded: true, failures: 0, weight: 0, probeFailed: false, askedSeconds: 0 };
    await db.transaction(async (tx) =>
      recordEndpointResults(tx, [{ endpointId, url: URL, ...success }], { timeScale: 1, newId: uuidv7 }),
    );
    expect(await db.query('select from endpoints where recovered_at is not null')).toHaveLength(1);
  };
  const verify = () => db.transaction((tx) => markVerified(tx, endpointId));
  const reportOf = (delivery: LeasedDelivery, over: Partial<AttemptReport>): AttemptReport => ({
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    url: delivery.url,
    attempt: delivery.attempt,
    outcome: 'HTTP_5XX',
    httpStatus: 503,
    detail: null,
    headersMs: 1,
    totalMs: 1,
    response: null,
    responseHeaders: null,
    sentAt: new Date(),
    wasGone: false,
    isFailing: false,
    isProbe: false,
    status: 'RETRYING',
    waitSeconds: null,
    askedSeconds: 0,
    earlyWaitSeconds: null,
    earlyFailures: null,
    ...over,
  });
  const recordFailure = (delivery: LeasedDelivery, over: Partial<AttemptReport>) =>
    attemptRecorder({ db, workerId, timeScale: 1, newId: uuidv7 })(reportOf(delivery, over));
  /** Seconds from the last result to the next attempt and to the scheduled one; scheduled attempts that are used up. */
  const plan = async () =>
    (
      await db.query(
        `select extract(epoch from d.next_attempt_at - a.finished_at)::float8 as next,
           extract(epoch from d.planned_at - a.finished_at)::float8 as scheduled, d.attempt - d.schedule_from as used
         from deliveries d join attempts a on a.delivery_id = d.id and a.attempt = d.attempt`,
      )
    )[0];
  const ASKED_TO_WAIT = { waitSeconds: 5, askedSeconds: 600 };
  const LONG_WAIT = { waitSeconds: DAY_SECONDS, askedSeconds: 0 };

  test.each([
    ['whatever the previous server asked for', ASKED_TO_WAIT],
    ['however long the schedule waits', LONG_WAIT],
  ])('is due at the new URL as soon as it fails at the previous one, %s', async (_, waits) => {
    const delivery = await claimed();
    await moveUrl();
    await verify();
    await recordFailure(delivery, waits);

    // The scheduled attempt comes later: this one is sent before its time.
    expect(await plan()).toEqual({ next: 0, scheduled: waits.waitSeconds, used: 0 });
    expect(await claimed()).toMatchObject({ id: delivery.id, url: NEW_URL });
  });

  test.each([
    ['is not sent slowly after a request to recover', recover, false],
    ['is sent slowly after a new URL', moveUrl, true],
    ['is sent slowly after it was switched on', switchOn, true],
  ])('a new delivery of a working endpoint %s', async (_, change, isHeldBack) => {
    await change();
    await db.execute('update endpoints set is_verified = true');
    const notified = await db.transaction((tx) => endpointsToNotify(tx, [tenant.merchantId], [tenant.environment]));

    expect(notified).toMatchObject([{ isHeldBack }]);
  });

  test('returns to its schedule when it fails at the new URL, too', async () => {
    const delivery = await claimed();
    await moveUrl();
    await verify();
    await recordFailure(delivery, LONG_WAIT);
    const [planned] = await db.query<{ planned_at: Date }>('select planned_at from deliveries');
    await recordFailure(await claimed(), { waitSeconds: 15, askedSeconds: 0 });

    expect(await db.query('select next_attempt_at, attempt - schedule_from as used from deliveries')).toEqual([
      { next_attempt_at: planned?.planned_at, used: 1 },
    ]);
  });

  test.each(['HTTP_5XX', 'GONE', 'BLOCKED'] as const)(
    'is sent to the new URL when its last scheduled attempt fails at the previous one (%s), and fails there at the next',
    async (outcome) => {
      await db.execute('update deliveries set attempt = 17');
      const delivery = await claimed();
      await moveUrl();
      await verify();
      await recordFailure(delivery, { outcome, status: 'FAILED' });
      expect(
        await db.query('select status, attempt - schedule_from as used, planned_at, ended_at from deliveries'),
      ).toEqual([{ status: 'RETRYING', used: 17, planned_at: null, ended_at: null }]);

      const last = await claimed();
      expect(last).toMatchObject({ url: NEW_URL, attempt: 19, scheduleFrom: 1 });
      await recordFailure(last, { status: 'FAILED' });
      expect(await db.query('select status, next_attempt_at from deliveries')).toEqual([
        { status: 'FAILED', next_attempt_at: null },
      ]);
    },
  );

  test('keeps its number of scheduled attempts when it was sent early and fails at both URLs', async () => {
    await db.execute(`update deliveries set attempt = 5, schedule_from = 1, planned_at = now() + interval '1 day'`);
    const delivery = await claimed();
    await moveUrl();
    await verify();
    await recordFailure(delivery, LONG_WAIT);
    await recordFailure(await claimed(), LONG_WAIT);

    expect(await plan()).toMatchObject({ used: 5 });
  });

  test('is stored with results of all kinds in one statement', async () => {
    await insertDelivery();
    await insertDelivery();
    const [delivered, failed, retrying] = await claimAll();
    await moveUrl();
    await verify();
    const reports = [
      reportOf(delivered!, { outcome: 'SUCCESS', status: 'DELIVERED' }),
      reportOf(failed!, { status: 'FAILED' }),
      reportOf(retrying!, LONG_WAIT),
    ];
    const stored: (readonly StoredResult[])[] = [];
    await db.transaction(async (tx) => recordAttempts(tx, workerId, reports, (results) => stored.push(results)));

    const expected = [
      { id: delivered!.id, status: 'DELIVERED', waitSeconds: null },
      { id: failed!.id, status: 'RETRYING', waitSeconds: 0 },
      { id: retrying!.id, status: 'RETRYING', waitSeconds: 0 },
    ];
    expect(stored).toEqual([expect.arrayContaining(expected)]);
    const statuses = await db.query('select id, status from deliveries');
    expect(statuses).toEqual(expect.arrayContaining(expected.map(({ id, status }) => ({ id, status }))));
  });

  test('is held until the new URL is verified', async () => {
    const delivery = await claimed();
    await moveUrl();
    await recordFailure(delivery, ASKED_TO_WAIT);

    expect(await claim()).toBeUndefined();
    expect(await db.query('select next_attempt_at, status from deliveries')).toEqual([
      { next_attempt_at: null, status: 'RETRYING' },
    ]);
  });

  test.each<[string, (delivery: LeasedDelivery) => Promise<unknown>]>([
    ['its lease is released', (delivery) => releaseLeases(db, workerId, [delivery])],
    ['its sender dies', () => releaseLeasesOf(db, [workerId])],
  ])('waits as its schedule says after its first failure at the new URL when %s before the request', async (_, end) => {
    const delivery = await claimed();
    await moveUrl();
    await verify();
    await end(delivery);
    await recordFailure(await claimed(), { waitSeconds: 15, askedSeconds: 0 });

    expect(await plan()).toMatchObject({ next: 15, scheduled: null });
  });

  const EARLY = `attempt = 5, schedule_from = 1, planned_at = now() + interval '1 day', early_failures = 4, failed_early = true`;
  const EARLY_AGAIN = { ...LONG_WAIT, earlyWaitSeconds: 120, earlyFailures: 5 };

  test.each([
    ['calls recover', recover],
    ['switches its endpoint on', switchOn],
  ])('is due as soon as it fails, and its early waits begin again, when its merchant %s', async (_, request) => {
    await db.execute(`update deliveries set ${EARLY}`);
    const delivery = await claimed();
    await request();
    await recordFailure(delivery, EARLY_AGAIN);

    expect(await plan()).toMatchObject({ next: 0, used: 4 });
    expect(await db.query('select early_failures, failed_early from deliveries')).toEqual([
      { early_failures: 0, failed_early: false },
    ]);
  });

  test.each([
    ['its first early attempt', EARLY, { ...EARLY_AGAIN, earlyWaitSeconds: 5, earlyFailures: 1 }, 5],
    ['a later early attempt', EARLY, EARLY_AGAIN, 120],
    ['an early probe that does not count', EARLY, { ...LONG_WAIT, earlyFailures: 0 }, 0],
    ['a scheduled attempt', 'attempt = 5', { ...LONG_WAIT, earlyFailures: null }, 0],
  ])(
    'whose endpoint comes back during %s keeps its early failures, and is sent at once if it has none',
    async (_, stored, failure, next) => {
      await db.execute(`update deliveries set ${stored}`);
      const delivery = await claimed();
      await comeBack();
      await recordFailure(delivery, failure);

      const count = failure.earlyFailures ?? 0;
      expect(await plan()).toMatchObject({ next });
      expect(await db.query('select early_failures, failed_early from deliveries')).toEqual([
        { early_failures: count, failed_early: count > 0 },
      ]);
    },
  );

  test('is sent again when its merchant calls recover during its last scheduled attempt', async () => {
    await db.execute('update deliveries set attempt = 17');
    const delivery = await claimed();
    await recover();
    await recordFailure(delivery, { status: 'FAILED' });

    const last = await claimed();
    expect(last).toMatchObject({ attempt: 19, scheduleFrom: 1 });
    await recordFailure(last, { status: 'FAILED' });
    expect(await db.query('select status from deliveries')).toEqual([{ status: 'FAILED' }]);
  });

  test('that fails early is reported with the wait until its next early attempt', async () => {
    await db.execute(`update deliveries set ${EARLY}`);

    expect(await recordFailure(await claimed(), EARLY_AGAIN)).toMatchObject({
      stored: { status: 'RETRYING', waitSeconds: 120 },
    });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['before its lease', recover],
    [
      'in the future by the clock',
      () =>
        db.execute(
          `update endpoints set recovered_at = now() + interval '1 hour', recovery_requested_at = now() + interval '1 hour'`,
        ),
    ],
  ])('waits as its schedule says when the last recovery began %s', async (_, request) => {
    await request();
    const delivery = await claimed();
    await recordFailure(delivery, LONG_WAIT);

    expect(await plan()).toMatchObject({ next: DAY_SECONDS });
  });

  test.each([
    [true, 0],
    [false, 4],
  ])('that is due already: a recovery, requested (%p), leaves it %i early failures', async (isRequested, expected) => {
    await db.execute(`update deliveries set ${EARLY}, status = 'RETRYING', next_attempt_at = created_at`);
    await db.transaction((tx) => pullForward(tx, { endpointId, positionAt: null, isRequested }, 7));

    expect(await db.query('select early_failures from deliveries')).toEqual([{ early_failures: expected }]);
  });

  const NEW_ADDRESS = (tx: Transaction) => changeEndpointRow(tx, endpointId, { url: NEW_URL });

  test.each([
    ['the URL changes', NEW_ADDRESS],
    ['a recovery is requested', () => undefined],
  ])('is due immediately when its failure is being stored while %s', async (_, apply) => {
    const delivery = await claimed();
    let recorded: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await lockEndpoint(tx, tenant, endpointId);
      await apply(tx);
      await beginRecovery(tx, { id: uuidv7(), endpointId, kind: 'CAME_BACK', since: new Date() });
      recorded = recordFailure(delivery, LONG_WAIT);
      await eventually(
        async () =>
          (
            await db.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).length === 1,
        'the recorder waits for the change',
      );
    });
    await recorded;

    expect(await plan()).toMatchObject({ next: 0 });
  });
});
