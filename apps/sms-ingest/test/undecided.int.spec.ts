import { migrate, openDatabase, type Database, type Statement } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { failOnLeaks, testDatabase, type TestDatabase } from '@pay/testing';
import { migrations } from '../src/db/migrations';
import { undecidedSms } from '../src/intake/sms-event-repository';

const service = 'sms-ingest';
const log = createLogger({ service, level: 'silent' });
const EVENTS = 6_000;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log }) });
  db = await openDatabase({ url: database.url, poolSize: 1, applicationName: service, log, migrations });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
failOnLeaks();

it(`of ${EVENTS} undecided events of three merchants in two environments, only the oldest of each tenant is read`, async () => {
  expect(await undecidedSms(db)).toEqual([]);
  await db.execute(
    `insert into sms_events (id, merchant_id, environment, device_id, receiver_account_id, sender, received_at, ingested_at, parser_version,
       provider, kind, direction, payment_method, provider_time, parsed_amount, parsed_trx_id, status)
     select gen_random_uuid(), md5((n % 3)::text)::uuid, case n % 2 when 0 then 'LIVE' else 'SANDBOX' end, gen_random_uuid(), gen_random_uuid(),
       'bKash', at, at, '1', 'BKASH', 'PAYMENT_RECEIVED', 'IN', 'BKASH_SEND_MONEY', at, 50000, 'TRX' || n,
       case when n < 100 then 'UNPARSED' else 'PARSED' end
     from generate_series(1, $1::int) n cross join lateral (select now() - (10000 - n) * interval '1 second' as at) made`,
    [EVENTS],
  );
  await db.execute('analyze sms_events');
  const expected = await db.query(
    `select merchant_id as "merchantId", environment, min(ingested_at) as oldest from sms_events where status = 'PARSED' group by 1, 2 order by 1, 2`,
  );

  const found = await undecidedSms(db);
  const plan: string[] = [];
  const explaining = {
    query: async ({ text }: Statement) => {
      plan.push(JSON.stringify(await db.query(`explain (analyze, format json) ${text}`)));
      return [];
    },
  } as unknown as Database;
  await undecidedSms(explaining);

  expect(expected).toHaveLength(6);
  expect(found).toEqual(expected);
  expect(plan[0]).toContain('sms_events_undecided');
  const [most = 0] = [...(plan[0] ?? '').matchAll(/"Actual Rows":(\d+)/g)]
    .map(([, rows]) => Number(rows))
    .toSorted((a, b) => b - a);
  expect(most).toBeLessThanOrEqual(6);
});
