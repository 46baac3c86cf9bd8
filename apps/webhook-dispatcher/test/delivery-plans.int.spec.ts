import type { Database, Queryable } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { claimDue, oldestFirstAttempts } from '../src/delivery/delivery-repository';
import { makeEarlyProbesDue } from '../src/recovery/early-probe-repository';
import { IDLE_ROOM, openBeforeAll } from './open-before-all';
import { rowsRead } from './rows-read';

failOnLeaks();
jest.setTimeout(120_000);

const ROWS = 10_000;

describe(`an endpoint with ${ROWS} deliveries that wait for a retry`, () => {
  let db: Database;
  openBeforeAll((opened) => (db = opened));
  const endpointId = uuidv7();
  const merchantId = uuidv7();

  beforeAll(async () => {
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, is_verified)
       values ($1, $2, 'SANDBOX', 'https://a.example', '{payment.paid}', 'x', true)`,
      [endpointId, merchantId],
    );
    await insert(ROWS, 1, '1 hour');
    await insert(1, 0, '-1 second');
    await db.execute('analyze deliveries');
  });

  const insert = (count: number, attempt: number, dueIn: string): Promise<number> =>
    db.execute(
      `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
         status, attempt, next_attempt_at)
       select gen_random_uuid(), $1, $2, 'SANDBOX', gen_random_uuid(), 'webhook.test', now(), gen_random_uuid()::text, '{}',
         case when $4::int > 0 then 'RETRYING' else 'PENDING' end, $4, now() + $5::interval
       from generate_series(1, $3::int)`,
      [endpointId, merchantId, count, attempt, dueIn],
    );

  it('has the age of its oldest first attempt found without reading them', async () => {
    expect(await oldestFirstAttempts(db)).toHaveLength(1);
    expect(await rowsRead(db, 'deliveries', oldestFirstAttempts)).toBeLessThan(10);
  });

  it('has its first attempt leased without reading them, also when they are due', async () => {
    await db.execute(`update deliveries set next_attempt_at = now() - interval '1 minute' where attempt > 0`);
    await db.execute('vacuum analyze deliveries');
    const read = await rowsRead(db, 'deliveries', (recorded) => claimDue(recorded, uuidv7(), IDLE_ROOM, ['LIVE']));

    // Each of the eight leased rows is read several times.
    expect(read).toBeLessThan(100);
    expect(await db.query(`select from deliveries where attempt = 1 and lease_owner is not null`)).toHaveLength(1);
  });

  it('has its early probe found among the next 100', async () => {
    await db.execute(`update deliveries set next_attempt_at = now() + interval '1 hour', lease_owner = null`);
    await db.execute('update endpoints set failing_since = now(), breaker_until = now()');
    await db.execute('vacuum analyze deliveries');

    expect(await rowsRead(db, 'deliveries', (recorded) => makeEarlyProbesDue(recorded, ['LIVE'], 90))).toBeLessThan(
      110,
    );
    expect(await db.query('select from deliveries where planned_at is not null')).toHaveLength(1);
  });

  it('has its probe chosen without reading them when all but one have failed early and are due', async () => {
    await db.execute(
      `update deliveries set next_attempt_at = now() - interval '1 minute', planned_at = now() + interval '1 hour', failed_early = true,
         early_failures = 2, lease_owner = null, attempt = 1`,
    );
    await insert(1, 1, '1 hour');
    await db.execute('update endpoints set failing_since = now(), breaker_until = now()');
    await db.execute('vacuum analyze deliveries');
    const readBy = (call: Parameters<typeof rowsRead>[2]) => rowsRead(db, 'deliveries', call);
    const claim = (recorded: Queryable) => claimDue(recorded, uuidv7(), IDLE_ROOM, ['LIVE']);

    expect(await readBy(claim)).toBeLessThan(110);
    expect(await readBy((recorded) => makeEarlyProbesDue(recorded, ['LIVE'], 90))).toBeLessThan(220);
    expect(await readBy(claim)).toBeLessThan(130);
    expect(await db.query(`select from deliveries where lease_owner is not null`)).toHaveLength(1);
  });
});
