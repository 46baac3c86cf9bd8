import { randomUUID } from 'node:crypto';
import { createIntentRequestSchema, listIntentsQuerySchema, RECORD_RETENTION } from '@pay/contracts';
import { outboxOnly } from '@pay/messaging';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import { describeDays, failOnLeaks, measureTurnovers, testDatabase, type TestDatabase } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { migrations } from '../src/db/migrations';
import { findIntents } from '../src/intents/intent-repository';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import { newIntent } from '../src/domain/new-intent';
import { listIntents } from '../src/intents/list-intents';
import { storeIntents } from '../src/intents/store-intents';
import { quietLog } from './service-under-test';

/** Longer runs for measurements: `npm run bench -- --retention`. */
const LONG = process.env['RETENTION_BENCH'] !== undefined;
const TIMEOUT_MS = LONG ? 3_600_000 : 90_000;
const [PER_DAY, KEPT_DAYS, DAYS] = LONG ? [864, 30, [31, 90, 180, 365]] : [300, 5, [7, 27]];

const service = 'intent-api';
const never = new AbortController().signal;
const TENANT = { merchantId: '019a0000-0000-7000-8000-00000000000a', environment: 'LIVE' } as const;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const morning = (day: number) => new Date(FIRST_DAY + day * 86_400_000);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: quietLog }) });
  db = await openDatabase({ url: database.url, poolSize: 1, applicationName: service, log: quietLog, migrations });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
failOnLeaks();

/** Paid intents of a day, evenly distributed. */
async function fill(day: number): Promise<void> {
  const at = `($1::timestamptz + n * interval '1 day' / ${PER_DAY})`;
  await db.execute(
    `insert into payment_intents (id, merchant_id, environment, idempotency_key, parameters_hash, sequence, decision_sequence, status, amount,
       currency, customer_reference, reference_key, payment_method, shown_receivers, method_fixed, created_at, expires_at, paid_at)
     select (lpad(to_hex(floor(extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '70008' || substr(md5($2 || n::text), 1, 15))::uuid,
       '${TENANT.merchantId}', 'LIVE', $2 || '-' || n, 'x', 2, 1, 'PAID', 50000, 'BDT', $2 || '-' || n, $2 || '-' || n, 'BKASH_SEND_MONEY', '[]', true,
       ${at}, ${at} + interval '5 minutes', ${at} from generate_series(0, ${PER_DAY - 1}) n`,
    [morning(day), String(day)],
  );
  await db.execute(
    `insert into intent_counters as c (merchant_id, environment, status, payment_method, shard, intents)
     values ($1, 'LIVE', 'PAID', 'BKASH_SEND_MONEY', 0, ${PER_DAY})
     on conflict (merchant_id, environment, status, payment_method, shard) do update set intents = c.intents + excluded.intents`,
    [TENANT.merchantId],
  );
}

async function create(): Promise<string> {
  const id = uuidv7();
  const request = createIntentRequestSchema.parse({ amount: 5, idempotencyKey: randomUUID() });
  const facts = { id, now: new Date(), customerReference: randomUUID().slice(0, 12), receiver: undefined };
  const intent = {
    tenant: TENANT,
    idempotencyKey: request.idempotencyKey,
    parametersHash: 'x',
    intent: newIntent(request, facts),
  };
  await db.transaction((tx) => storeIntents({ messaging: outboxOnly() }, tx, [intent]));
  return id;
}

it(
  'reads as many pages per deleted intent, and per sweep without work, after one turnover as after many, and totals stay exact',
  async () => {
    const known = await create();
    const query = listIntentsQuerySchema.parse({});
    const figures = await measureTurnovers({
      query: (sql, values) => db.query(sql, values),
      tables: ['payment_intents', 'intent_counters'],
      fill,
      sweep: (day) => {
        const now = () => morning(day + 1);
        const retention = { recordDays: KEPT_DAYS - RECORD_RETENTION.extraDaysOfFollowers };
        return deleteOldRecords({ db, log: quietLog, now, retention }, never);
      },
      rowsPerDay: PER_DAY,
      days: DAYS,
      requests: LONG
        ? {
            create,
            retrieve: () => findIntents(db, [known]),
            'first page': () => listIntents({ db }, TENANT, query),
          }
        : {},
    });
    if (LONG) process.stdout.write(describeDays('intents', figures));

    const kept = KEPT_DAYS * PER_DAY + 1 + (LONG ? DAYS.length * 300 : 0);
    expect(await listIntents({ db }, TENANT, query)).toMatchObject({ total: kept });
    expect(await db.query('select count(*)::int as n from payment_intents')).toEqual([{ n: kept }]);
    const [first, ...later] = figures;
    for (const each of later) {
      expect(each.pagesForNothing).toBeLessThanOrEqual((first?.pagesForNothing ?? 0) + 10);
      expect(each.pagesPerRow).toBeLessThanOrEqual(1.5 * (first?.pagesPerRow ?? 0));
    }
    expect(first?.pagesForNothing).toBeLessThan(50);
  },
  TIMEOUT_MS,
);
