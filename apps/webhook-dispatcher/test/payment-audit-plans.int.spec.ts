import { auditedPayments } from '@pay/payment-audit';
import { migrate, openDatabase, type Database, type Queryable } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { failOnLeaks, testDatabase, type TestDatabase } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { migrations } from '../src/db/migrations';
import { AUDITED_PAYMENTS, findMissingDeliveries } from '../src/payment-audit/audited-payment-repository';
import { rowsRead } from './rows-read';

failOnLeaks();
jest.setTimeout(120_000);

const service = 'webhook-dispatcher';
const log = createLogger({ service, level: 'silent' });
const ROWS = 20_000;
const DAY_MS = 24 * 60 * 60_000;
const SLICE_MS = 5 * 60_000;
const OLD_MS = 3 * 60 * 60_000;

describe(`the payment audit with ${ROWS} events in the feed of one day`, () => {
  const tenant = { merchantId: uuidv7(), environment: 'LIVE' } as const;
  const end = new Date();
  const slice = {
    from: new Date(end.getTime() - OLD_MS).toISOString(),
    to: new Date(end.getTime() - OLD_MS + SLICE_MS).toISOString(),
  };
  let database: TestDatabase;
  let db: Database;

  beforeAll(async () => {
    database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log }) });
    db = await openDatabase({ url: database.url, poolSize: 1, applicationName: service, log, migrations });
    await fill();
    await db.execute('analyze events');
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  /** Two of three events are payments; each is created when it occurs. */
  async function fill(): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.execute('set local statement_timeout = 0');
      await tx.execute(
        `insert into events (merchant_id, environment, position, id, type, payment_intent_id, occurred_at, created_at, body,
           planned_deliveries, amount)
         select $1, 'LIVE', n, gen_random_uuid(), case when n % 3 = 0 then 'payment.expired' else 'payment.paid' end,
           gen_random_uuid(), at, at, '{}', 0, 50000
         from generate_series(1, $2::int) n
         cross join lateral (select $3::timestamptz + n * interval '1 millisecond' * ($4::float8 / $2) as at) occurred`,
        [tenant.merchantId, ROWS, new Date(end.getTime() - DAY_MS), DAY_MS],
      );
    });
  }

  const feedRowsRead = (call: (recorded: Queryable) => Promise<unknown>): Promise<number> =>
    rowsRead(db, 'events', call);

  it('reads only the payments of a slice of three hours ago', async () => {
    const stored = await auditedPayments(db, AUDITED_PAYMENTS).digests(slice);
    const payments = stored.reduce((sum, each) => sum + each.payments, 0);
    expect(payments).toBeGreaterThan(10);

    expect(await feedRowsRead((recorded) => auditedPayments(recorded, AUDITED_PAYMENTS).digests(slice))).toBe(payments);
    expect(await feedRowsRead((recorded) => auditedPayments(recorded, AUDITED_PAYMENTS).page(tenant, slice))).toBe(
      payments,
    );
    expect(await feedRowsRead((recorded) => findMissingDeliveries(recorded, slice, 1_000))).toBe(payments);
  });

  it('finds a payment that was entered into the feed hours after it occurred', async () => {
    const paymentIntentId = uuidv7();
    const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:05:00.000Z' };
    await db.execute(
      `insert into events (merchant_id, environment, position, id, type, payment_intent_id, occurred_at, body, planned_deliveries, amount)
       values ($1, 'LIVE', $2, gen_random_uuid(), 'payment.paid', $3, $4, '{}', 1, 50000)`,
      [tenant.merchantId, ROWS + 1, paymentIntentId, range.from],
    );

    expect(await auditedPayments(db, AUDITED_PAYMENTS).page(tenant, range)).toMatchObject([{ paymentIntentId }]);
    expect(await findMissingDeliveries(db, range, 10)).toMatchObject([{ paymentIntentId }]);
  });
});
