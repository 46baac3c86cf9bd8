import type { Database } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { claimDue, releaseLeases, type LeasedDelivery } from '../src/delivery/delivery-repository';
import { releaseLeasesOf } from '../src/delivery/sender-repository';
import { recordEndpointResults } from '../src/endpoints/endpoint-health-repository';
import { IDLE_ROOM, openBeforeAll } from './open-before-all';

failOnLeaks();

const URL = 'https://a.example';

describe('a probe that is released without a request', () => {
  let db: Database;
  openBeforeAll((opened) => (db = opened));
  let endpointId: string;
  let workerId: string;

  /** A leased probe of an endpoint whose breaker is half open. */
  beforeEach(async () => {
    await db.execute('truncate endpoints, deliveries, attempts, recoveries, senders');
    endpointId = uuidv7();
    workerId = uuidv7();
    const values = [endpointId, uuidv7()];
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, failing_since, breaker_failures,
         breaker_wait, breaker_until)
       values ($1, $2, 'SANDBOX', $3, '{payment.paid}', 'x', now(), 5, 15, now())`,
      [...values, URL],
    );
    await db.execute(
      `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
         next_attempt_at)
       values ($1::uuid, $1, $2, 'SANDBOX', $1, 'webhook.test', now(), $1::uuid::text, '{}', now())`,
      values,
    );
    await db.execute('insert into senders (id) values ($1)', [workerId]);
  });

  const claimProbe = async (): Promise<LeasedDelivery> => {
    const [probe] = await claimDue(db, workerId, IDLE_ROOM, ['LIVE']);
    expect(probe).toMatchObject({ endpointId, trigger: 'probe' });
    return probe!;
  };
  const succeed = () =>
    db.transaction(async (tx) => {
      const result = {
        endpointId,
        url: URL,
        succeeded: true,
        failures: 0,
        weight: 0,
        probeFailed: false,
        askedSeconds: 0,
      };
      recordEndpointResults(tx, [result], { timeScale: 1, newId: uuidv7 });
      return Promise.resolve();
    });
  const breaker = async (): Promise<unknown> =>
    (
      await db.query(
        'select breaker_until is not null as "isBroken", breaker_until <= now() as "mayProbe" from endpoints where id = $1',
        [endpointId],
      )
    )[0];

  const RELEASES: [string, (probe: LeasedDelivery) => Promise<unknown>][] = [
    ['released', (probe) => releaseLeases(db, workerId, [probe])],
    ['of a dead sender', () => releaseLeasesOf(db, [workerId])],
  ];

  test.each(RELEASES)('%s lets another one follow immediately', async (_, release) => {
    await release(await claimProbe());

    expect(await breaker()).toEqual({ isBroken: true, mayProbe: true });
  });

  test.each(RELEASES)('%s leaves the breaker closed when another result has closed it', async (_, release) => {
    const probe = await claimProbe();
    await succeed();

    await release(probe);

    expect(await breaker()).toEqual({ isBroken: false, mayProbe: null });
  });

  test('is requested again when it was a redelivery', async () => {
    await db.execute('update deliveries set resends = 2');

    await releaseLeases(db, workerId, [await claimProbe()]);

    expect(await db.query('select resends from deliveries')).toEqual([{ resends: 2 }]);
  });

  test('leaves no endpoint half open: a success also closes a breaker without stored failures', async () => {
    await db.execute(
      'update endpoints set failing_since = null, breaker_failures = 0, breaker_wait = null where id = $1',
      [endpointId],
    );

    await succeed();

    expect(await breaker()).toEqual({ isBroken: false, mayProbe: null });
  });
});
