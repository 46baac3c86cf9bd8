import { ERRORS } from '@pay/contracts';
import type { Queryable, Statement, Transaction } from '@pay/persistence';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { readEvents, recordEvents, type RecordedEvent } from '../src/feed/event-repository';
import { readFeed } from '../src/feed/read-feed';
import { webhookDispatcherConfig } from '../src/config';
import { sweepOldRows } from '../src/retention/sweep-old-rows';
import { aKey, aMerchant, anEvent } from './service-under-test';
import { SECRET, stage } from './stage';

failOnLeaks();

function anEventOf(tenant: { merchantId: string; environment: 'SANDBOX' | 'LIVE' }): RecordedEvent {
  const place = { ...tenant, id: uuidv7(), paymentIntentId: uuidv7() };
  const occurredAt = new Date().toISOString();
  return { ...place, type: 'payment.paid', occurredAt, body: '{}', amount: 0n, plannedDeliveries: 0 };
}

describe('the event feed', () => {
  const on = stage();

  test('contains every event of the tenant in order, with the body of its webhook, also without an endpoint', async () => {
    const events = [anEvent('intent.paid', on.merchant), anEvent('intent.expired', on.merchant)];
    const other = { ...on.merchant, environment: 'LIVE' as const };
    await on.service.announce(events[0]!);
    await eventually(async () => (await on.api.events(on.merchant)).body.data.length === 1, 'the first is there');
    await on.service.announce(
      events[1]!,
      anEvent('intent.paid', other),
      anEvent('intent.paid', on.merchant, events[0]!.data.intent),
    );
    const { data, nextCursor } = await eventually(async () => {
      const { body } = await on.api.events(on.merchant);
      return body.data.length === 2 ? body : undefined;
    }, 'both are there');

    expect(data.map(({ id }: any) => id)).toEqual(events.map(({ id }) => id));
    expect(data[0]).toMatchObject({
      type: 'payment.paid',
      createdAt: events[0]!.occurredAt,
      payload: { event: 'payment.paid', data: { payment_intent_id: events[0]!.data.intent.id, trx_id: 'DKL4A1B2C3' } },
    });
    expect((await on.api.events(on.merchant, `?after=${nextCursor}`)).body).toEqual({ data: [], nextCursor });
    expect((await on.api.events(on.merchant, '?limit=1')).body.data).toEqual([data[0]]);
    expect((await on.api.events(on.merchant, '?type=payment.expired')).body.data).toEqual([data[1]]);
    expect((await on.api.events(on.merchant, '?type=payment.rejected')).body.data).toEqual([]);
    const live = { apiKey: await aKey(on.service.db, other) };
    expect((await on.api.events(live)).body.data).toHaveLength(1);
    expect((await on.api.events(await aMerchant(on.service.db))).body).toEqual({ data: [], nextCursor: '0' });
    for (const query of ['?after=x', '?limit=0', '?type=paid']) {
      expect((await on.api.events(on.merchant, query)).status).toBe(400);
    }
    expect((await on.api.events(on.merchant, '?after=999')).status).toBe(409);
    expect((await on.api.events(undefined)).status).toBe(401);
  });

  test('contains failed intents, for which no webhook is sent', async () => {
    const registered = await on.api.register(on.merchant, { url: on.shop.url, secret: SECRET });
    expect(registered.status).toBe(201);
    const refused = { url: on.shop.url, secret: SECRET, eventTypes: ['payment.failed'] };
    expect((await on.api.register(on.merchant, refused)).status).toBe(400);
    const failed = anEvent('intent.failed', on.merchant);
    const paid = anEvent('intent.paid', on.merchant);

    await on.service.announce(failed, paid);
    await on.shop.waitFor((request) => String(request.headers['x-webhook-event']) === 'payment.paid');

    const { data } = (await on.api.events(on.merchant)).body;
    expect(data.map(({ type }: any) => type)).toEqual(['payment.failed', 'payment.paid']);
    expect(data[0]).toMatchObject({
      id: failed.id,
      payload: {
        event: 'payment.failed',
        data: { payment_intent_id: failed.data.intent.id, reason: expect.any(String) },
      },
    });
    expect((await on.api.events(on.merchant, '?type=payment.failed')).body.data).toEqual([data[0]]);
    expect((await on.deliveries()).map(({ eventType }) => eventType)).toEqual(['payment.paid']);
  });

  test('returns every event once to a reader that follows the cursor during concurrent writes', async () => {
    const { db } = on.service;
    const tenants = [on.merchant, await aMerchant(db)].map(({ id, environment }) => ({ merchantId: id, environment }));
    const mine: string[] = [];
    let writing = 6;
    const write = async (): Promise<void> => {
      for (let round = 0; round < 30; round += 1) {
        const events = tenants.flatMap((tenant) => [anEventOf(tenant), anEventOf(tenant)]);
        mine.push(...events.filter(({ merchantId }) => merchantId === on.merchant.id).map(({ id }) => id));
        await db.transaction(async (tx) => {
          recordEvents(tx, round % 2 ? events : [...events].reverse());
          // A commit that takes its time is where a reader could be overtaken.
          await tx.query('select pg_sleep(random() * 0.004)');
        });
      }
      writing -= 1;
    };
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for (let after = 0, isLast = false; ;) {
        const isWritten = writing === 0;
        const page = await readEvents(db, tenants[0]!, { after, limit: 7 });
        seen.push(...page.map(({ id }) => id));
        after = Number(page.at(-1)?.position ?? after);
        if (isLast && page.length === 0) return;
        isLast = isWritten;
      }
    };
    await Promise.all([read(), ...Array.from({ length: writing }, write)]);

    expect(mine).toHaveLength(6 * 30 * 2);
    expect(seen.length).toBe(new Set(seen).size);
    expect([...seen].sort()).toEqual([...mine].sort());
  });

  test('returns every event of a type once to a reader that follows the cursor while each query is followed by a commit', async () => {
    const { db } = on.service;
    const tenant = { merchantId: on.merchant.id, environment: on.merchant.environment };
    const mine: string[] = [];
    const query: Queryable['query'] = async <Row extends object>(...given: Parameters<Queryable['query']>) => {
      const rows = await db.query<Row>(...given);
      if (mine.length < 12) {
        const event = anEventOf(tenant);
        mine.push(event.id);
        await db.transaction(async (tx) =>
          recordEvents(tx, [event, { ...anEventOf(tenant), type: 'payment.expired' }]),
        );
      }
      return rows;
    };
    const seen: string[] = [];
    for (let after = 0, isLast = false; !isLast;) {
      isLast = mine.length === 12;
      const page = await readFeed({ query, execute: db.execute }, tenant, { after, limit: 3, type: 'payment.paid' });
      seen.push(...page.events.map(({ id }) => id));
      after = Number(page.nextCursor);
      isLast &&= page.events.length === 0;
    }

    expect(seen).toEqual(mine);
  });

  test('gives a reader of a type without events a cursor that does not expire while it polls', async () => {
    const { db } = on.service;
    const tenant = { merchantId: on.merchant.id, environment: on.merchant.environment };
    await db.transaction(async (tx) => recordEvents(tx, [anEventOf(tenant), anEventOf(tenant)]));
    const { data, nextCursor } = (await on.api.events(on.merchant, '?type=payment.rejected&after=0')).body;
    await db.execute('delete from events where merchant_id = $1', [on.merchant.id]);
    await db.execute('update event_counters set deleted_through = 2 where merchant_id = $1', [on.merchant.id]);

    const { status, body } = await on.api.events(on.merchant, `?type=payment.rejected&after=${nextCursor}`);

    expect(data).toEqual([]);
    expect({ status, body }).toEqual({ status: 200, body: { data: [], nextCursor: '2' } });
  });

  test('numbers a batch of events of many tenants per tenant, and reads the batch and the counters only once', async () => {
    const { db } = on.service;
    const tenants = Array.from({ length: 40 }, () => ({ merchantId: uuidv7(), environment: 'LIVE' as const }));
    const batch = [...tenants, ...tenants.toReversed()].map(anEventOf);
    const plan: string[] = [];
    const explaining = async (tx: Transaction) => {
      let values: unknown[] = [];
      let text = '';
      const enqueue = (statement: Statement, given: unknown[]) => ([text, values] = [statement.text, given]);
      recordEvents({ enqueue } as unknown as Transaction, batch);
      const lines = await tx.query<{ 'QUERY PLAN': string }>(`explain (analyze) ${text}`, values);
      plan.push(...lines.map((line) => line['QUERY PLAN']));
    };

    await db.transaction((tx) => explaining(tx));

    const scans = plan.filter((line) => /CTE Scan on (given|counted)/.test(line));
    expect(scans.length).toBeGreaterThan(2);
    for (const scan of scans) expect(scan).toMatch(/loops=1\)/);
    for (const tenant of tenants) {
      const own = batch.filter(({ merchantId }) => merchantId === tenant.merchantId);
      const page = await readEvents(db, tenant, { after: 0, limit: 3 });
      expect(page.map(({ id, position }) => [id, position])).toEqual(own.map(({ id }, at) => [id, String(at + 1)]));
    }
  });

  test('returns 409 with the cursor to continue from if the given cursor is beyond the last event after a failover', async () => {
    for (let number = 0; number < 3; number += 1) await on.service.announce(anEvent('intent.paid', on.merchant));
    const last = await eventually(async () => {
      const { data, nextCursor } = (await on.api.events(on.merchant)).body;
      return data.length === 3 ? nextCursor : undefined;
    }, 'all are there');
    const lost = `where merchant_id = '${on.merchant.id}'`;
    await on.service.db.execute(`delete from events ${lost} and position = 3`);
    await on.service.db.execute(`update event_counters set position = 2 ${lost}`);

    const { status, body } = await on.api.events(on.merchant, `?after=${last}`);
    expect({ status, body }).toEqual({
      status: 409,
      body: { code: 'CURSOR_AHEAD', message: ERRORS.CURSOR_AHEAD.message, lastCursor: '2' },
    });
    const next = anEvent('intent.paid', on.merchant);
    await on.service.announce(next);
    const page = await eventually(async () => {
      const { data } = (await on.api.events(on.merchant, `?after=${body.lastCursor}`)).body;
      return data.length > 0 ? data : undefined;
    }, 'the next event is read');
    expect(page.map(({ payload }: any) => payload.data.payment_intent_id)).toEqual([next.data.intent.id]);
    expect((await on.api.events(await aMerchant(on.service.db), '?after=999')).body).toMatchObject({
      code: 'CURSOR_AHEAD',
      lastCursor: '0',
    });
  });

  test('returns 410 for a cursor older than the retention period, and starts at the oldest event without a cursor', async () => {
    for (let number = 0; number < 3; number += 1) await on.service.announce(anEvent('intent.paid', on.merchant));
    const { data, nextCursor } = await eventually(async () => {
      const { body } = await on.api.events(on.merchant, '?limit=2');
      return body.data.length === 2 && (await on.api.events(on.merchant)).body.data.length === 3 ? body : undefined;
    }, 'all are there');
    const first = (await on.api.events(on.merchant, '?limit=1')).body.nextCursor;
    await on.service.db.execute(
      `update events set created_at = now() - interval '91 days' where id = any($1::uuid[])`,
      [data.map(({ id }: any) => id)],
    );
    await on.service.db.execute('delete from retention_positions');
    const keep = { now: () => new Date(), deliveryDays: 31, eventDays: 90 };
    await sweepOldRows({ db: on.service.db, ...keep }, new AbortController().signal);

    expect(await on.api.events(on.merchant, `?after=${first}`)).toMatchObject({
      status: 410,
      body: { code: 'CURSOR_EXPIRED' },
    });
    expect((await on.api.events(on.merchant, `?after=${nextCursor}`)).body.data).toHaveLength(1);
    expect((await on.api.events(on.merchant)).body.data).toHaveLength(1);
  });

  test('deletes deliveries with their attempts 31 days after their end, and abandons those held for so long', async () => {
    await on.register();
    await on.service.announce(anEvent('intent.paid', on.merchant), anEvent('intent.paid', on.merchant));
    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 2, 'both are delivered');
    const [young, old] = (await on.deliveries()).map(({ id }) => id);
    const past = '0190a000-0000-7000-8000-000000000001';
    const held = '0190a000-0000-7000-8000-000000000002';
    await on.service.db.transaction(async (tx) => {
      await tx.execute(`delete from attempts where delivery_id = $1`, [old]);
      await tx.execute(`update deliveries set id = $2, ended_at = now() - interval '32 days' where id = $1`, [
        old,
        past,
      ]);
      await tx.execute(
        `insert into attempts (delivery_id, attempt, trigger, started_at, worker_id) values ($1, 1, 'schedule', now(), $1)`,
        [past],
      );
      await tx.execute(
        `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body)
         select $2, endpoint_id, merchant_id, environment, $2, 'webhook.test', now(), 'held', '{}' from deliveries where id = $1`,
        [young, held],
      );
    });
    await on.service.db.execute('delete from retention_positions');
    const keep = { now: () => new Date(), deliveryDays: 31, eventDays: 90 };
    await sweepOldRows({ db: on.service.db, ...keep }, new AbortController().signal);

    expect((await on.deliveries()).map(({ id, status }) => [id, status])).toEqual([
      [young, 'DELIVERED'],
      [held, 'FAILED'],
    ]);
    expect(await on.attemptsOf(past)).toEqual([]);
  });

  test('keeps what was delivered at the beginning of the longest recovery, so that it is not sent again', async () => {
    const id = await on.register();
    const minute = 60_000;
    const since = new Date(Date.now() - 30 * 1_440 * minute);
    const event = {
      ...anEvent('intent.paid', on.merchant),
      occurredAt: new Date(since.getTime() + minute).toISOString(),
    };
    await on.service.announce(event);
    const { id: delivered } = await on.settled('DELIVERED');
    await on.service.db.execute('update events set created_at = occurred_at where merchant_id = $1', [on.merchant.id]);
    await on.service.db.execute(
      'update deliveries set created_at = occurred_at, delivered_at = occurred_at, ended_at = occurred_at where id = $1',
      [delivered],
    );
    await on.service.db.execute('delete from retention_positions');
    // As if the recovery had taken some minutes to this point.
    const now = () => new Date(Date.now() + 5 * minute);
    const deliveryDays = webhookDispatcherConfig.shape.WEBHOOK_DELIVERY_DAYS.parse(undefined);
    await sweepOldRows({ db: on.service.db, now, deliveryDays, eventDays: 90 }, new AbortController().signal);

    await on.api.recover(on.merchant, id, { since: since.toISOString() });
    const { recovery } = await eventually(async () => {
      const { body } = await on.api.recovery(on.merchant, id);
      return body.recovery.status === 'DONE' ? body : undefined;
    }, 'the recovery is done');

    expect(recovery).toMatchObject({ redelivered: 0, created: 0 });
    expect((await on.deliveries()).map((delivery) => delivery.id)).toEqual([delivered]);
    expect(on.shop.requests).toHaveLength(1);
  });
});
