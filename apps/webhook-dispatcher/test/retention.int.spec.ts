import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { describeDays, failOnLeaks, measureTurnovers, testDatabase, type TestDatabase } from '@pay/testing';
import { migrations } from '../src/db/migrations';
import { listDeliveryRows } from '../src/delivery/delivery-list-repository';
import { readEvents } from '../src/feed/event-repository';
import { sweepOldRows } from '../src/retention/sweep-old-rows';

/** Longer runs, for figures: `npm run bench -- --retention`. */
const LONG = process.env['RETENTION_BENCH'] !== undefined;
const TIMEOUT_MS = LONG ? 3_600_000 : 90_000;
const [PER_DAY, KEPT_DAYS, DAYS] = LONG ? [864, 30, [31, 90, 180, 365]] : [300, 5, [7, 27]];

const service = 'webhook-dispatcher';
const log = createLogger({ service, level: 'silent' });
const never = new AbortController().signal;
const TENANT = { merchantId: '019a0000-0000-7000-8000-00000000000a', environment: 'SANDBOX' } as const;
const ENDPOINT = '019a0000-0000-7000-8000-00000000000b';
const FIRST_DAY = Date.UTC(2024, 0, 1);
const morning = (day: number) => new Date(FIRST_DAY + day * 86_400_000);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log }) });
  db = await openDatabase({ url: database.url, poolSize: 1, applicationName: service, log, migrations });
  await db.execute(
    `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret) values ($1, $2, $3, 'https://a.example', '{payment.paid}', 'x')`,
    [ENDPOINT, TENANT.merchantId, TENANT.environment],
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
failOnLeaks();

/** Payments of a day, evenly over it: an entry of the feed, a delivery and an attempt each. */
async function fill(day: number): Promise<void> {
  const at = `($1::timestamptz + n * interval '1 day' / ${PER_DAY})`;
  const id = `(lpad(to_hex(floor(extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7000' || '8' || substr(md5($2 || n::text), 1, 15))::uuid`;
  const rows = `from generate_series(0, ${PER_DAY - 1}) n`;
  const values = [morning(day), String(day)];
  await db.execute(
    `insert into events (merchant_id, environment, position, id, type, payment_intent_id, occurred_at, body, created_at, planned_deliveries)
     select '${TENANT.merchantId}', 'SANDBOX', $2::bigint * ${PER_DAY} + n + 1, ${id}, 'payment.paid', ${id}, ${at}, repeat('x', 500), ${at}, 1 ${rows}`,
    values,
  );
  await db.execute(
    `insert into event_counters (merchant_id, environment, position) values ('${TENANT.merchantId}', 'SANDBOX', ($1 + 1) * ${PER_DAY})
     on conflict (merchant_id, environment) do update set position = excluded.position`,
    [day],
  );
  await db.execute(
    `insert into deliveries (id, endpoint_id, merchant_id, environment, payment_intent_id, event_id, event_type, occurred_at,
       idempotency_key, body, status, attempt, status_code, delivered_at, created_at, ended_at)
     select ${id}, '${ENDPOINT}', '${TENANT.merchantId}', 'SANDBOX', ${id}, ${id}, 'payment.paid', ${at}, ${id}::text, repeat('x', 500),
       'DELIVERED', 1, 200, ${at}, ${at}, ${at} ${rows}`,
    values,
  );
  await db.execute(
    `insert into attempts (delivery_id, attempt, trigger, started_at, finished_at, outcome, http_status, worker_id)
     select ${id}, 1, 'schedule', ${at}, ${at}, 'DELIVERED', 200, '${ENDPOINT}' ${rows}`,
    values,
  );
}

const countOf = async (table: string) => Number((await db.query(`select count(*) as n from ${table}`))[0]?.['n']);

it(
  'reads as many pages per deleted row, and for nothing, after one turnover of deliveries, attempts and feed as after many',
  async () => {
    const evening = (day: number) => () => morning(day + 1);
    const figures = await measureTurnovers({
      query: (sql, values) => db.query(sql, values),
      tables: ['deliveries', 'attempts', 'events'],
      fill,
      sweep: (day) => sweepOldRows({ db, now: evening(day), deliveryDays: KEPT_DAYS, eventDays: KEPT_DAYS }, never),
      rowsPerDay: 3 * PER_DAY,
      days: DAYS,
      requests: LONG
        ? {
            'first page of deliveries': () => listDeliveryRows(db, TENANT, {}, { page: 1, limit: 20 }),
            'page of the feed': () => readEvents(db, TENANT, { after: 0, limit: 100 }),
          }
        : {},
    });
    if (LONG) process.stdout.write(describeDays('deliveries, attempts and feed', figures));

    for (const table of ['deliveries', 'attempts', 'events']) expect(await countOf(table)).toBe(KEPT_DAYS * PER_DAY);
    const [first, ...later] = figures;
    for (const each of later) {
      expect(each.pagesForNothing).toBeLessThanOrEqual((first?.pagesForNothing ?? 0) + 10);
      expect(each.pagesPerRow).toBeLessThanOrEqual(1.5 * (first?.pagesPerRow ?? 0));
    }
    expect(first?.pagesForNothing).toBeLessThan(50);
  },
  TIMEOUT_MS,
);
