import type { Database, Queryable } from '@pay/persistence';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { claimDue } from '../src/delivery/delivery-repository';
import { failOpenDeliveries } from '../src/endpoints/fail-open-deliveries';
import { IDLE_ROOM, openBeforeAll } from './open-before-all';
import { anEvent } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

const BATCH = 1_000;
const never = new AbortController().signal;

interface OpenDeliveries {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly count: number;
  /** An SQL expression; null for held deliveries. */
  readonly nextAttemptAt: string;
}

async function insertOpen(
  db: Queryable,
  { endpointId, merchantId, count, nextAttemptAt }: OpenDeliveries,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  await db.execute(
    `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
       next_attempt_at)
     select id, $2, $3, 'SANDBOX', id, 'webhook.test', now(), id::text, '{}', ${nextAttemptAt} from unnest($1::uuid[]) id`,
    [ids, endpointId, merchantId],
  );
  return ids;
}

const statusesOf = async (db: Queryable, endpointId: string): Promise<unknown[]> =>
  db.query('select status, count(*)::int from deliveries where endpoint_id = $1 group by status order by status', [
    endpointId,
  ]);

describe('open deliveries of a deleted endpoint', () => {
  let db: Database;
  openBeforeAll((opened) => (db = opened), { poolSize: 2 });
  let endpointId: string;
  const merchantId = uuidv7();

  beforeEach(async () => {
    endpointId = uuidv7();
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, deleted_at)
       values ($1, $2, 'SANDBOX', 'https://a.example', '{payment.paid}', 'x', now())`,
      [endpointId, merchantId],
    );
  });

  const insert = (count: number, nextAttemptAt: string) =>
    insertOpen(db, { endpointId, merchantId, count, nextAttemptAt });
  const isMarked = async (): Promise<boolean> =>
    (await db.query('select from endpoints where id = $1 and deliveries_ended_at is not null', [endpointId])).length ===
    1;

  test('fail after a crash between two batches, held and scheduled ones, and then the endpoint is not read again', async () => {
    await insert(BATCH + 200, 'null');
    await insert(BATCH + 200, `now() + interval '1 day'`);
    let reads = 0;
    const crashing: Queryable = {
      query: (sql, values) => {
        // After the search, the check for leases and one batch of held deliveries.
        if (reads === 3) throw new Error('the process died');
        reads += 1;
        return db.query(sql, values);
      },
      execute: (sql, values) => db.execute(sql, values),
    };
    await expect(failOpenDeliveries({ db: crashing }, never)).rejects.toThrow('the process died');
    expect(await isMarked()).toBe(false);
    expect(await statusesOf(db, endpointId)).toEqual([
      { status: 'FAILED', count: 2 * BATCH + 200 },
      { status: 'PENDING', count: 200 },
    ]);

    await failOpenDeliveries({ db }, never);

    expect(await statusesOf(db, endpointId)).toEqual([{ status: 'FAILED', count: 2 * BATCH + 400 }]);
    expect(await isMarked()).toBe(true);
    const [unended] = await db.query('select from deliveries where endpoint_id = $1 and ended_at is null', [
      endpointId,
    ]);
    expect(unended).toBeUndefined();
  });

  test('are not sent before they have failed', async () => {
    await insert(3, `now() - interval '1 minute'`);
    expect(await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).toEqual([]);
  });

  test('with a lease fail when it has ended, and until then the endpoint is read again', async () => {
    const [leased] = await insert(2, `now() + interval '1 day'`);
    await db.execute('update deliveries set lease_owner = $2 where id = $1', [leased, uuidv7()]);
    await failOpenDeliveries({ db }, never);
    expect(await isMarked()).toBe(false);
    expect(await statusesOf(db, endpointId)).toMatchObject([{ status: 'FAILED' }, { status: 'PENDING' }]);

    await db.execute(`update deliveries set lease_owner = null, status = 'RETRYING' where id = $1`, [leased]);
    await failOpenDeliveries({ db }, never);

    expect(await statusesOf(db, endpointId)).toEqual([{ status: 'FAILED', count: 2 }]);
    expect(await isMarked()).toBe(true);
  });
});

describe('deleting an endpoint', () => {
  const on = stage(0.001);

  const insert = (endpointId: string, count: number, nextAttemptAt: string) =>
    insertOpen(on.service.db, { endpointId, merchantId: on.merchant.id, count, nextAttemptAt });

  test('with many open deliveries fails all of them, in batches', async () => {
    const { db } = on.service;
    const id = await on.register();
    await insert(id, BATCH + 500, `now() + interval '1 day'`);
    await insert(id, BATCH + 500, 'null');
    expect((await on.api.remove(on.merchant, id)).status).toBe(204);
    await eventually(async () => (await on.deliveries('?status=PENDING')).length === 0, 'every delivery has failed');

    // One time is one transaction.
    const [largest] = await db.query(
      'select count(*)::int from deliveries where endpoint_id = $1 group by ended_at order by 1 desc limit 1',
      [id],
    );
    expect(largest).toEqual({ count: BATCH });
    expect(await statusesOf(db, id)).toEqual([{ status: 'FAILED', count: 2 * BATCH + 1_000 }]);
    expect(on.shop.requests).toEqual([]);
  });

  test('does not delay the events of its merchant while one of its deliveries is locked', async () => {
    const { db } = on.service;
    const id = await on.register({ url: `${on.shop.url}/deleted` });
    await on.register({ url: `${on.shop.url}/kept` });
    const [locked] = await insert(id, 1, 'null');
    const removed = await db.transaction(async (tx) => {
      await tx.execute('select from deliveries where id = $1 for update', [locked]);
      const removing = on.api.remove(on.merchant, id);
      await eventually(async () => (await on.api.endpoint(on.merchant, id)).status === 404, 'it is deleted');
      await on.service.announce(anEvent('intent.paid', on.merchant));
      await eventually(() => on.shop.requests.length === 1, 'the other endpoint receives the event');
      return { removing };
    });

    expect((await removed.removing).status).toBe(204);
    expect(on.shop.requests.map(({ path }) => path)).toEqual(['/kept']);
    await eventually(async () => (await on.deliveries('?status=FAILED')).length === 1, 'its delivery has failed');
  });
});
