import { randomUUID } from 'node:crypto';
import { draft } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { apply, decisionOn } from './decisions';
import { dayInDhaka } from '../src/domain/day';
import { addUpHourlyCounts } from '../src/statistics/hourly-count-repository';
import { findDaysOfPayments } from '../src/statistics/payment-statistics-repository';
import { merchantApi } from './merchant-api';
import { recorder, type Recorded } from './recorded-statements';
import { aDevice, aMerchant, BKASH, NAGAD, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();
jest.setTimeout(120_000);

const ROWS = 50_000;
const OURS = /payment_intents|hourly_intent_|intent_counters|receiver_takings|device_sightings/;
const LIMITS = { dailyAmount: '1000000', monthlyAmount: null, dailyCount: null };

describe(`with ${ROWS} intents of several merchants`, () => {
  const { watch, statements } = recorder();
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  let played: readonly Recorded[];
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService({ watched: watch });
    merchant = await aMerchant(service.db, { receivers: [{ ...BKASH, limits: LIMITS }, NAGAD], environment: 'LIVE' });
    const otherMerchants = await Promise.all([1, 2, 3].map(() => aMerchant(service.db)));
    await fill([merchant, merchant, ...otherMerchants]);
    await playEverything();
    // A periodic task adds up changes in any order.
    played = statements().filter(
      ({ text }) =>
        OURS.test(text) &&
        !/^(set|vacuum|alter)\b|generate_series|group by 1|from hourly_intent_count_changes limit/.test(text),
    );
  });
  afterAll(() => service.stop());

  /** Each merchant as often as it is listed, over two months, with all statuses and methods. */
  async function fill(merchants: readonly MerchantUnderTest[]): Promise<void> {
    await service.db.transaction(async (tx) => {
      await tx.execute('set local statement_timeout = 0');
      await tx.execute(
        `insert into payment_intents (id, merchant_id, environment, idempotency_key, parameters_hash, status, amount, currency,
           customer_reference, reference_key, merchant_reference, payment_method, shown_receivers, method_fixed, created_at, expires_at, paid_at)
         select gen_random_uuid(), owner.id, owner.environment, 'filled-' || n, '', status, 50000, 'BDT', 'F' || n, 'F' || n,
           'order-' || n / 3, (array['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY', null])[n % 3 + 1], '[]', false, at, at + interval '5 minutes',
           case status when 'PAID' then at end
         from generate_series(1, $3::int) n
         cross join lateral (select ($1::uuid[])[n % cardinality($1::uuid[]) + 1] as id, ($2::text[])[n % cardinality($1::uuid[]) + 1] as environment) owner
         cross join lateral (select now() - n * interval '100 seconds' as at,
           (array['PAID', 'PAID', 'PENDING', 'EXPIRED', 'FAILED', 'REVIEW_REQUIRED', 'REJECTED'])[n % 7 + 1] as status) made`,
        [merchants.map(({ id }) => id), merchants.map(({ environment }) => environment), ROWS],
      );
      await tx.execute(
        `insert into intent_counters (merchant_id, environment, status, payment_method, shard, intents)
         select merchant_id, environment, status, coalesce(payment_method, ''), 0, count(*) from payment_intents group by 1, 2, 3, 4`,
      );
      await tx.execute(
        `insert into receiver_takings select gen_random_uuid(), current_date - n % 60, 1, 1 from generate_series(1, 20000) n`,
      );
      await tx.execute('insert into device_sightings select gen_random_uuid(), now() from generate_series(1, 20000) n');
    });
    await addUpHourlyCounts(service.db);
    await service.db.execute('vacuum analyze');
  }

  /** Runs every kind of request. */
  async function playEverything(): Promise<void> {
    await aDevice(service.db, merchant, merchant.accounts);
    const fields = { idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', customerReference: 'PLAYED' };
    const { body } = await api.create(merchant, fields);
    await api.create(merchant, fields);
    await api.create(merchant, { customerReference: 'played' });
    await api.create(merchant, { paymentMethod: 'BKASH_CASHOUT' });
    await api.get(merchant, body.id);
    const filters = [
      ...['status=PENDING', 'paymentMethod=BKASH_SEND_MONEY', 'merchantReference=order-7', 'customerReference=F7'],
      ...['createdFrom=2026-01-01T00:00:00Z', 'createdTo=2027-01-01T00:00:00Z'],
    ];
    for (let mask = 0; mask < 2 ** filters.length; mask += 1) {
      const query = filters.filter((_, bit) => mask & (1 << bit)).join('&');
      expect((await api.list(merchant, `?${query}`)).status).toBe(200);
    }
    const deviceId = uuidv7();
    const seen = draft('device.seen', {
      environment: merchant.environment,
      merchantId: merchant.id,
      aggregateId: deviceId,
      sequence: 0,
      occurredAt: new Date(),
      data: { deviceId, seenAt: new Date().toISOString(), sendsHeartbeat: true },
    });
    await service.db.transaction((tx) => service.messaging.publish(tx, [seen], { queue: 'intent-api.events' }));
    await eventually(async () => {
      const sql = 'select 1 from device_sightings where device_id = $1';
      return (await service.db.query(sql, [deviceId])).length === 1;
    }, 'the phone was seen');
    await apply(service, decisionOn(merchant, body.id, 'PAID', 1));
    const today = dayInDhaka(new Date());
    await findDaysOfPayments(service.db, { merchantId: merchant.id, environment: merchant.environment }, [today]);
  }

  const lines = (rows: readonly { 'QUERY PLAN': string }[]) => rows.map((row) => row['QUERY PLAN']).join('\n');

  async function plansOf(
    explain: (tx: Transaction, statement: Recorded) => Promise<string>,
  ): Promise<Map<string, string>> {
    return service.db.transaction(async (tx) => {
      const plans = new Map<string, string>();
      for (const statement of played) plans.set(statement.text, await explain(tx, statement));
      return plans;
    });
  }

  it('no statement scans a table with the default planner settings', async () => {
    const plans = await plansOf(async (tx, { text, values }) => {
      for (const setting of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
        await tx.execute(`set local enable_${setting} = on`);
      return lines(await tx.query(`explain ${text}`, values));
    });

    // 64 lists, create, two look-ups, lock, move, counters, daily totals twice, last-seen times twice.
    expect(plans.size).toBeGreaterThanOrEqual(73);
    for (const plan of plans.values())
      expect(plan).not.toMatch(/Seq Scan on (payment_intents|hourly_intent_counts|receiver_takings|device_sightings)/);
  });

  it('no generic plan scans a table', async () => {
    let number = 0;
    const plans = await plansOf(async (tx, { text, values }) => {
      const name = `kept_${(number += 1)}`;
      await tx.execute('set local plan_cache_mode = force_generic_plan');
      await tx.execute(`prepare ${name} as ${text}`);
      const nulls = values.length === 0 ? '' : `(${values.map(() => 'null').join(', ')})`;
      const plan = lines(await tx.query(`explain execute ${name}${nulls}`));
      await tx.execute(`deallocate ${name}`);
      return plan;
    });

    for (const plan of plans.values()) expect(plan).not.toMatch(/Seq Scan on/);
  });

  it('statistics of days read hourly counts and no intents', async () => {
    const found = played.filter(({ text }) => text.includes('hourly_intent_counts') && text.startsWith('select'));
    expect(found).toHaveLength(1);

    const [{ text, values }] = found as [Recorded];
    const plan = lines(await service.db.query(`explain ${text}`, values));

    expect(plan).toMatch(/Index Scan using hourly_intent_counts_pkey/);
    expect(plan).toMatch(/Index Scan using hourly_intent_count_changes_of_tenant/);
    expect(plan).not.toMatch(/on payment_intents/);
  });

  it.each([
    ['no filter', /^((?!\$5).)*$/s, 'payment_intents_newest_first'],
    ['status', /status = \$5((?!\$6).)*$/s, 'payment_intents_newest_first_by_status'],
    ['paymentMethod', /payment_method = \$5((?!\$6).)*$/s, 'payment_intents_newest_first_by_method'],
    ['status and paymentMethod', /payment_method = \$6((?!\$7).)*$/s, 'payment_intents_newest_first_by_method'],
    [
      'merchantReference',
      /merchant_reference = \$5((?!\$6).)*$/s,
      'payment_intents_newest_first_by_merchant_reference',
    ],
    ['createdFrom', /created_at >= \$5((?!\$6).)*$/s, 'payment_intents_newest_first'],
  ])('a page by %s uses only an index', async (_filters, text, index) => {
    const found = played.filter((each) => each.text.startsWith('with total') && text.test(each.text));
    expect(found).toHaveLength(1);

    const [{ text: sql, values }] = found as [Recorded];
    const plan = lines(await service.db.query(`explain ${sql}`, values));

    expect(plan).toMatch(new RegExp(`Index Only Scan using ${index} on`));
  });
});
