import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { eventually, failOnLeaks, testDatabase, type TestDatabase } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createAddressGuard } from '../src/adapters/address-guard';
import { migrations } from '../src/db/migrations';
import { claimDue, releaseLeases, type LeasedDelivery } from '../src/delivery/delivery-repository';
import { attemptRecorder, type AttemptReport } from '../src/delivery/record-attempts';
import { releaseLeasesOf } from '../src/delivery/sender-repository';
import { changeEndpoint } from '../src/endpoints/change-endpoint';
import { changeEndpointRow, lockEndpoint, markVerified } from '../src/endpoints/endpoint-change-repository';
import { beginRecovery } from '../src/endpoints/recovery-request-repository';

failOnLeaks();

const service = 'webhook-dispatcher';
const log = createLogger({ service, level: 'silent' });
const ROOM = { total: 200, unreserved: 150, perEndpoint: 8, named: new Map(), unverified: new Map() };
const URL = 'https://old.example';
const NEW_URL = 'https://new.example';
const DAY_SECONDS = 86_400;

describe('a delivery that was leased before its endpoint got a new URL', () => {
  let database: TestDatabase;
  let db: Database;
  const tenant = { merchantId: uuidv7(), environment: 'LIVE' } as const;
  const workerId = uuidv7();
  let endpointId: string;

  beforeAll(async () => {
    database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log }) });
    db = await openDatabase({ url: database.url, poolSize: 3, applicationName: service, log, migrations });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  beforeEach(async () => {
    await db.execute('truncate endpoints, deliveries, attempts, recoveries, senders');
    endpointId = uuidv7();
    const values = [endpointId, tenant.merchantId, tenant.environment];
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, is_verified)
       values ($1, $2, $3, $4, '{payment.paid}', 'x', true)`,
      [...values, URL],
    );
    await db.execute(
      `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
         next_attempt_at)
       values ($1::uuid, $1, $2, $3, $1, 'webhook.test', now(), $1::uuid::text, '{}', now())`,
      values,
    );
    await db.execute('insert into senders (id) values ($1)', [workerId]);
  });

  const claim = async (): Promise<LeasedDelivery | undefined> =>
    (await claimDue(db, workerId, ROOM, [tenant.environment]))[0];
  const claimed = async (): Promise<LeasedDelivery> => {
    const delivery = await claim();
    if (delivery === undefined) throw new Error('no delivery is due');
    return delivery;
  };
  const moveUrl = () =>
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
      { url: NEW_URL, eventTypes: undefined },
    );
  const verify = () => db.transaction((tx) => markVerified(tx, endpointId));
  const recordFailure = (delivery: LeasedDelivery, waits: Pick<AttemptReport, 'waitSeconds' | 'askedSeconds'>) =>
    attemptRecorder({ db, workerId, timeScale: 1, newId: uuidv7 })({
      deliveryId: delivery.id,
      endpointId,
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
      ...waits,
    });
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

  test('is due immediately when its failure is being stored while the URL changes', async () => {
    const delivery = await claimed();
    let recorded: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await lockEndpoint(tx, tenant, endpointId);
      await changeEndpointRow(tx, endpointId, { url: NEW_URL });
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
