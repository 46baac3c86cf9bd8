import { randomUUID } from 'node:crypto';
import { migrate, openDatabase, type Database, type Statement } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { failOnLeaks, testDatabase, type TestDatabase } from '@pay/testing';
import { migrations } from '../src/db/migrations';
import { claimsThatDelayExpiry, undecidedClaims, type UndecidedClaims } from '../src/claims/claim-repository';

const service = 'checkout-api';
const log = createLogger({ service, level: 'silent' });
const CLAIMS = 6_000;

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

it(`of ${CLAIMS} undecided claims of three merchants in two environments, only the oldest of each tenant is read`, async () => {
  expect(await claimsThatDelayExpiry(db)).toEqual([]);
  await db.execute(
    `insert into claims (id, merchant_id, environment, intent_id, trx_id, submitted_at, state, outcome, judged_at, resubmitted_at)
     select gen_random_uuid(), md5((n % 3)::text)::uuid, case n % 2 when 0 then 'LIVE' else 'SANDBOX' end, gen_random_uuid(), 'TRX' || n + 1000,
       at, case when n < 100 then 'waiting' else 'undecided' end, case when n < 100 then 'waiting' end, case when n < 100 then at end,
       case when n between 100 and 120 then now() - interval '1 hour' when n < 200 then now() end
     from generate_series(1, $1::int) n cross join lateral (select now() - (10000 - n) * interval '1 second' as at) made`,
    [CLAIMS],
  );
  await db.execute('analyze claims');
  const expected = await db.query(
    `select merchant_id as "merchantId", environment, min(submitted_at) as oldest from claims
     where state = 'undecided' and (submitted_at > now() - interval '1 day' or resubmitted_at > now() - interval '15 minutes')
     group by 1, 2 order by 1, 2`,
  );

  const found = await claimsThatDelayExpiry(db);
  const plan: string[] = [];
  const explaining = {
    query: async ({ text }: Statement) => {
      plan.push(JSON.stringify(await db.query(`explain (analyze, format json) ${text}`)));
      return [];
    },
  } as unknown as Database;
  await claimsThatDelayExpiry(explaining);

  expect(expected).toHaveLength(6);
  expect(found).toEqual(expected);
  expect(plan[0]).toContain('claims_undecided');
  const [most = 0] = [...(plan[0] ?? '').matchAll(/"Actual Rows":(\d+)/g)]
    .map(([, rows]) => Number(rows))
    .toSorted((a, b) => b - a);
  expect(most).toBeLessThanOrEqual(6);
});

it.each([
  { submitted: '23 hours', resubmitted: null, isWaitedFor: true },
  { submitted: '25 hours', resubmitted: null, isWaitedFor: false },
  { submitted: '25 hours', resubmitted: '14 minutes', isWaitedFor: true },
  { submitted: '23 hours', resubmitted: '16 minutes', isWaitedFor: true },
  { submitted: '25 hours', resubmitted: '16 minutes', isWaitedFor: false },
])(
  'expiry waits for an undecided claim that was submitted $submitted ago and again $resubmitted ago: $isWaitedFor',
  async ({ submitted, resubmitted, isWaitedFor }) => {
    const merchantId = randomUUID();
    await db.execute(
      `insert into claims (id, merchant_id, environment, intent_id, trx_id, submitted_at, resubmitted_at)
       values (gen_random_uuid(), $1, 'LIVE', gen_random_uuid(), 'TRX0001', now() - $2::interval, now() - $3::interval)`,
      [merchantId, submitted, resubmitted],
    );

    const ofMerchant = (claims: readonly UndecidedClaims[]) => claims.filter((each) => each.merchantId === merchantId);

    expect(ofMerchant(await claimsThatDelayExpiry(db))).toHaveLength(isWaitedFor ? 1 : 0);
    // Its alert stays until it is decided.
    expect(ofMerchant(await undecidedClaims(db))).toHaveLength(1);
  },
);
