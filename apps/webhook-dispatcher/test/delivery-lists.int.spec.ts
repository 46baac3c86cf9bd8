import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '@pay/persistence';
import { firstIdAt } from '@pay/persistence';
import { eventually, failOnLeaks } from '@pay/testing';
import { addUpDeliveryCounts } from '../src/delivery/delivery-count-repository';
import { deliveryRowsAfter, listDeliveryRows, type DeliveryFilter } from '../src/delivery/delivery-list-repository';
import { sweepOldRows } from '../src/retention/sweep-old-rows';
import { aMerchant, startService, type MerchantUnderTest, type ServiceUnderTest } from './service-under-test';
import { webhookApi } from './webhook-api';
import { wrongCounts } from './wrong-counts';

failOnLeaks();
jest.setTimeout(120_000);

const ROWS = 20_000;
const INTENT = randomUUID();
const FILTERS = { status: 'DELIVERED', eventType: 'payment.paid', paymentIntentId: INTENT } as const;

/** Every combination of filters, each once with a status that ended well and once with another. */
function combinations(endpointId: string): DeliveryFilter[] {
  const all = Object.entries({ ...FILTERS, endpointId });
  return Array.from({ length: 2 ** all.length }, (_, mask) =>
    Object.fromEntries(all.filter((_entry, bit) => mask & (1 << bit))),
  ).flatMap((filter) => ('status' in filter ? [filter, { ...filter, status: 'FAILED' }] : [filter]));
}

const nameOf = (filter: DeliveryFilter) =>
  `${Object.keys(filter).join(', ') || 'nothing'} ${filter.status ?? ''}`.trim();

describe(`lists of ${ROWS} deliveries of two endpoints and another merchant`, () => {
  let service: ServiceUnderTest;
  let owner: MerchantUnderTest;
  let other: MerchantUnderTest;
  let endpoints: string[];
  const api = webhookApi(() => service);
  const tenantOf = ({ id, environment }: MerchantUnderTest) => ({ merchantId: id, environment });

  beforeAll(async () => {
    service = await startService();
    [owner, other] = [await aMerchant(service.db), await aMerchant(service.db)];
    endpoints = await Promise.all(
      [owner, owner, other].map(async (merchant) => {
        const url = `https://${randomUUID()}.example/hook`;
        return (await api.register(merchant, { url, secret: 'correct-horse-battery-staple' })).body.id as string;
      }),
    );
    await service.db.execute(
      `insert into deliveries (id, endpoint_id, merchant_id, environment, payment_intent_id, event_id, event_type, occurred_at,
         idempotency_key, body, status, delivered_at, created_at, ended_at)
       select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
         ($1::uuid[])[n % 3 + 1], case n % 3 when 2 then $3::uuid else $2::uuid end, 'SANDBOX',
         case when n % 5000 < 9 then $4::uuid else gen_random_uuid() end, gen_random_uuid(),
         case n % 4 when 0 then 'payment.expired' else 'payment.paid' end, at, 'filled-' || n, '{}',
         case n % 10 when 0 then 'FAILED' else 'DELIVERED' end, case n % 10 when 0 then null else at end, at, at
       from generate_series(1, ${ROWS}) n cross join lateral (select now() - n * interval '1 minute' as at) made`,
      [endpoints, owner.id, other.id, INTENT],
    );
    await vacuumed('deliveries');
    await addUpDeliveryCounts(service.db);
    await service.db.execute('vacuum analyze delivery_counts');
  });
  afterAll(() => service.stop());

  /** Repeats VACUUM: beside another statement it marks no pages, and an index alone then costs as much as rows. */
  async function vacuumed(table: string): Promise<void> {
    const unmarked = `select relpages - relallvisible as pages from pg_class where oid = $1::regclass`;
    await eventually(async () => {
      await service.db.execute(`vacuum analyze ${table}`);
      return (await service.db.query<{ pages: number }>(unmarked, [table]))[0]?.pages === 0;
    }, 'all pages are marked as visible');
  }

  const matching = (filter: DeliveryFilter, { id }: MerchantUnderTest) =>
    service.db.query<{ id: string }>(
      `select id from deliveries where merchant_id = $1 and ($2::text is null or status = $2)
         and ($3::text is null or event_type = $3) and ($4::uuid is null or endpoint_id = $4)
         and ($5::uuid is null or payment_intent_id = $5) order by id desc`,
      [id, filter.status, filter.eventType, filter.endpointId, filter.paymentIntentId],
    );

  it('a page, a far page and the rows behind one are those that fit, with the exact total, by every combination', async () => {
    for (const endpoint of endpoints)
      for (const filter of combinations(endpoint)) {
        const fitting = (await matching(filter, owner)).map(({ id }) => id);
        const far = Math.max(1, Math.floor(fitting.length / 7) - 1);
        for (const page of [1, far, far + 100_000]) {
          const { data, total } = await listDeliveryRows(service.db, tenantOf(owner), filter, { page, limit: 7 });

          expect([nameOf(filter), total]).toEqual([nameOf(filter), fitting.length]);
          expect(data.map(({ id }) => id)).toEqual(fitting.slice((page - 1) * 7, page * 7));
        }
        const after = fitting[Math.floor(fitting.length / 2)];
        const rows = await deliveryRowsAfter(service.db, tenantOf(owner), filter, { after, limit: 7 });
        const behind = after === undefined ? fitting : fitting.slice(fitting.indexOf(after) + 1);
        expect(rows.map(({ id }) => id)).toEqual(behind.slice(0, 7));
      }
  });

  it('with filters that are not about one payment, the page is found in an index alone and no total counts deliveries', async () => {
    for (const filter of combinations(endpoints[0] ?? '')) {
      for (const { name, plan } of await plansOf(filter)) {
        expect(`${name}: ${plan}`).not.toMatch(/Seq Scan on (deliveries|endpoints)|Sort Key: deliveries.id/);
        if (filter.paymentIntentId !== undefined) expect(plan).toMatch(/deliveries_of_intent/);
        else if (filter.status !== 'FAILED' || filter.eventType === undefined)
          expect(`${name}: ${plan}`).toMatch(/Index Only Scan using deliveries_(listed|open)_of_(tenant|endpoint)/);
        if (filter.paymentIntentId === undefined) expect(plan.match(/on deliveries/g)).toHaveLength(2);
      }
    }
  });

  it('a search ends with the last delivery that fits, and none is searched if none fits', async () => {
    const entriesRead = async (filter: DeliveryFilter) => {
      const plans: string[] = [];
      const explaining = {
        query: async ({ text }: { text: string }, values: readonly unknown[]) => {
          const found = await service.db.query<{ 'QUERY PLAN': string }>(
            `explain (analyze, timing off) ${text}`,
            values,
          );
          plans.push(found.map((line) => line['QUERY PLAN']).join('\n'));
          return [];
        },
      } as unknown as Database;
      await listDeliveryRows(explaining, tenantOf(owner), filter, { page: 1, limit: 20 });
      const [search = ''] = plans.flatMap((plan) => plan.split('->').filter((node) => node.includes('on deliveries ')));
      if (search.includes('never executed')) return 0;
      const [, found, removed = '0'] = /actual rows=(\d+)(?:.*Rows Removed by Filter: (\d+))?/s.exec(search) ?? [];
      return Number(found) + Number(removed);
    };
    const endpointId = endpoints[0] ?? '';

    expect(await entriesRead({ eventType: 'payment.rejected' })).toBe(0);
    expect(await entriesRead({ eventType: 'payment.rejected', endpointId })).toBe(0);
    expect(await entriesRead({ eventType: 'payment.rejected', status: 'FAILED' })).toBe(0);
    await service.db.execute(
      `update deliveries set event_type = 'payment.rejected' where id in (
         select id from deliveries where merchant_id = $1 order by id desc offset 50 limit 2)`,
      [owner.id],
    );
    expect(await entriesRead({ eventType: 'payment.rejected' })).toBe(52);
    await service.db.execute(`update deliveries set event_type = 'payment.paid' where event_type = 'payment.rejected'`);
  });

  /** As services plan: with the values unknown. */
  async function plansOf(filter: DeliveryFilter): Promise<{ name: string; plan: string }[]> {
    const plans: { name: string; plan: string }[] = [];
    const explaining = (tx: Transaction) => ({
      query: async (sql: string | { text: string }, values: readonly unknown[] = []) => {
        const name = `plan_${plans.length}`;
        await tx.execute(`prepare ${name} as ${typeof sql === 'string' ? sql : sql.text}`);
        const nulls = values.map(() => 'null').join(', ');
        const lines = await tx.query<{ 'QUERY PLAN': string }>(`explain execute ${name}(${nulls})`);
        await tx.execute(`deallocate ${name}`);
        plans.push({ name: nameOf(filter), plan: lines.map((line) => line['QUERY PLAN']).join('\n') });
        return [];
      },
      execute: () => Promise.resolve(0),
    });
    await service.db.transaction(async (tx) => {
      const db = explaining(tx) as unknown as Database;
      await listDeliveryRows(db, tenantOf(owner), filter, { page: 1, limit: 20 });
      await deliveryRowsAfter(db, tenantOf(owner), filter, { after: undefined, limit: 20 });
    });
    return plans;
  }

  const totalOf = async (query = '') => (await api.deliveries(owner, query)).body.total as number;

  it('totals include concurrent changes, added up or not, and exclude rolled-back ones', async () => {
    const [all, failed] = [await totalOf(), await totalOf('?status=FAILED')];
    const adding = Promise.all([1, 2, 3].map(() => addUpDeliveryCounts(service.db)));
    const some = (await matching({ status: 'DELIVERED' }, owner)).slice(0, 60).map(({ id }) => id);
    const fail = (ids: readonly string[]) =>
      service.db.execute(
        `update deliveries set status = 'FAILED', delivered_at = null where id = any($1) and status <> 'FAILED'`,
        [ids],
      );

    await Promise.all([0, 20, 40].flatMap((at) => [fail(some.slice(at, at + 20)), addUpDeliveryCounts(service.db)]));
    const rolledBack = service.db.transaction(async (tx) => {
      await tx.execute(`update deliveries set status = 'FAILED', delivered_at = null where merchant_id = $1`, [
        owner.id,
      ]);
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await adding;

    expect([await totalOf(), await totalOf('?status=FAILED')]).toEqual([all, failed + 60]);
    await addUpDeliveryCounts(service.db);
    expect([await totalOf(), await totalOf('?status=FAILED')]).toEqual([all, failed + 60]);
    expect(await service.db.query('select from delivery_count_changes')).toEqual([]);
    expect(await wrongCounts(service.db)).toEqual([]);
  });

  it('totals exclude deleted deliveries', async () => {
    const [cut] = await service.db.query<{ at: Date }>(`select now() - interval '10 days' as at`);
    const at = cut?.at ?? new Date();
    const kept = (await matching({}, owner)).filter(({ id }) => id >= firstIdAt(at)).length;

    const keep = { deliveryDays: 10, eventDays: 90 };
    await sweepOldRows({ db: service.db, now: () => new Date(), ...keep }, new AbortController().signal);

    expect(Math.abs((await totalOf()) - kept)).toBeLessThanOrEqual(2);
    expect(await totalOf()).toBe((await matching({}, owner)).length);
    expect(await wrongCounts(service.db)).toEqual([]);
  });
});
