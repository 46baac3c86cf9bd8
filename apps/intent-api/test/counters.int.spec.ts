import { randomUUID } from 'node:crypto';
import { createIntentRequestSchema } from '@pay/contracts';
import { openDatabase } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { migrations } from '../src/db/migrations';
import { newIntent } from '../src/domain/new-intent';
import { storeIntents } from '../src/intents/store-intents';
import { addUpHourlyCounts } from '../src/statistics/hourly-count-repository';
import { apply, decisionOn, EVIDENCE } from './decisions';
import { merchantApi } from './merchant-api';
import { aMerchant, BKASH, NAGAD, quietLog, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('the counters of intents', () => {
  let service: ServiceUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const PLACE = `merchant_id, environment, status, coalesce(payment_method, '') as method`;
  const counters = () =>
    service.db.query(
      `select merchant_id, environment, status, payment_method as method, sum(intents)::int as intents
       from intent_counters group by 1, 2, 3, 4 having sum(intents) <> 0 order by 1, 2, 3, 4`,
    );
  const rows = () =>
    service.db.query(
      `select ${PLACE}, count(*)::int as intents from payment_intents group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    );

  /** Hours and methods of which the counts, added up or not, say something else than count(*). */
  const wrongHours = () =>
    service.db.query(
      `select merchant_id, environment, hour, payment_method, sum(intents)::int as intents, sum(paid)::int as paid from (
         select merchant_id, environment, hour, payment_method, intents, paid from hourly_intent_counts
         union all
         select merchant_id, environment, hour, payment_method, intents, paid from hourly_intent_count_changes
         union all
         select merchant_id, environment, date_trunc('hour', created_at, 'UTC'), payment_method, -1, -(status = 'PAID')::int
         from payment_intents where payment_method is not null
       ) as both_sides group by 1, 2, 3, 4 having sum(intents) <> 0 or sum(paid) <> 0`,
    );

  const stored = ({ id: merchantId, environment }: MerchantUnderTest) => {
    const request = createIntentRequestSchema.parse({ amount: 5, idempotencyKey: randomUUID() });
    const facts = { id: uuidv7(), now: new Date(), customerReference: randomUUID().slice(0, 12), receiver: undefined };
    const { idempotencyKey } = request;
    return {
      tenant: { merchantId, environment },
      idempotencyKey,
      parametersHash: 'x',
      intent: newIntent(request, facts),
    };
  };

  it('equal count(*) after concurrent creates, retries, refusals, moves, repeated decisions and rolled back transactions', async () => {
    const merchants = await Promise.all([
      aMerchant(service.db),
      aMerchant(service.db, { receivers: [BKASH, NAGAD] }),
      aMerchant(service.db, { receivers: [NAGAD] }),
    ]);

    async function play(merchant: MerchantUnderTest, number: number): Promise<void> {
      const fields = { idempotencyKey: randomUUID(), customerReference: `REF ${number}` };
      const twins = await Promise.all([1, 2, 3].map(() => api.create(merchant, fields)));
      expect(twins.map(({ status }) => status)).toEqual([201, 201, 201]);
      const { id } = twins[0]?.body;
      const refused = await Promise.all([
        api.create(merchant, { customerReference: `ref-${number}` }),
        api.create(merchant, { ...fields, amount: 7 }),
        api.create(merchant, { amount: -1 }),
        api.create(merchant, { paymentMethod: 'BKASH_CASHOUT' }),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([409, 422, 400, 422]);
      const first = decisionOn(merchant, id, number % 2 ? 'REVIEW_REQUIRED' : 'PAID', 1);
      await Promise.all([apply(service, first), apply(service, first)]);
      if (number % 4 === 1) await apply(service, decisionOn(merchant, id, 'REJECTED', 2));
      if (number % 4 === 3) {
        const rolledBack = service.db.transaction(async (tx) => {
          await storeIntents(service, tx, [stored(merchant), stored(merchant)]);
          throw new Error('changed my mind');
        });
        await expect(rolledBack).rejects.toThrow('changed my mind');
      }
    }
    await Promise.all([
      ...merchants.flatMap((merchant) => Array.from({ length: 20 }, (_, number) => play(merchant, number))),
      ...Array.from({ length: 3 }, () => addUpHourlyCounts(service.db)),
    ]);

    const counted = await counters();
    expect(counted).toEqual(await rows());
    expect(counted.length).toBeGreaterThan(5);
    const [merchant] = merchants;
    expect(await wrongHours()).toEqual([]);
    await Promise.all([1, 2].map(() => addUpHourlyCounts(service.db)));
    expect(await service.db.query('select from hourly_intent_count_changes')).toEqual([]);
    expect(await wrongHours()).toEqual([]);
    expect((await api.list(merchant, '?limit=1')).body.total).toBe(20);
    expect((await api.list(merchant, '?limit=1&status=REVIEW_REQUIRED')).body.total).toBe(5);
  });

  it('concurrent groups that share merchants in opposite orders all commit', async () => {
    const merchants = await Promise.all(Array.from({ length: 4 }, () => aMerchant(service.db)));
    // More groups than shards, so that several write the same rows.
    const CONNECTIONS = 32;
    const url = service.databaseUrl;
    const db = await openDatabase({ url, poolSize: CONNECTIONS, applicationName: 'spec', log: quietLog, migrations });
    const group = (order: readonly MerchantUnderTest[]) =>
      db.transaction((tx) => storeIntents(service, tx, order.map(stored)));

    const orders = Array.from({ length: 300 }, (_, number) =>
      number % 2 ? merchants : merchants.toReversed(),
    ).values();
    const settled: PromiseSettledResult<unknown>[] = [];
    // Sequential on each connection, so that no group waits for a free connection until a timeout.
    const keepBusy = async () => {
      for (const order of orders) settled.push(...(await Promise.allSettled([group(order)])));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, keepBusy));
    await db.close();

    expect(settled).toHaveLength(300);
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await counters()).toEqual(await rows());
  });
});

describe('the daily totals of receiver accounts', () => {
  const NOW = new Date('2026-11-23T06:00:00Z');
  let service: ServiceUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    // Daily totals are deleted after 400 days.
    service = await startService({ now: () => NOW });
  });
  afterAll(() => service.stop());

  it('are the paid amounts by account and day of Asia/Dhaka, each payment once', async () => {
    const merchant = await aMerchant(service.db);
    const [one, other] = [uuidv7(), uuidv7()];
    const pay = async (receiverAccountId: string, amount: string) => {
      const { id } = (await api.create(merchant, { amount })).body;
      const evidence = { ...EVIDENCE, receiverAccountId, amount };
      const decision = decisionOn(merchant, id, 'PAID', 1, { evidence });
      await Promise.all([apply(service, decision), apply(service, decision)]);
    };

    await Promise.all([pay(one, '100.5'), pay(one, '200'), pay(other, '7')]);

    const sql = `select receiver_account_id as id, day::text, amount::int, payments from receiver_takings order by amount`;
    expect(await service.db.query(sql)).toEqual([
      { id: other, day: '2026-11-21', amount: 700, payments: 1 },
      { id: one, day: '2026-11-21', amount: 30_050, payments: 2 },
    ]);
  });

  it.each([
    ['decided after midnight', '2026-11-21T17:59:00Z', '2026-11-21T18:00:02Z', '2026-11-21'],
    ['approved two days later', '2026-11-21T04:05:00Z', '2026-11-23T05:00:00Z', '2026-11-21'],
    [
      'decided by a clock that is behind that of the provider',
      '2026-11-21T18:00:00Z',
      '2026-11-21T17:59:58Z',
      '2026-11-21',
    ],
  ])(
    'count a payment that was %s on the day of the provider, at the latest on that of the decision',
    async (_, providerTime, decidedAt, day) => {
      const merchant = await aMerchant(service.db);
      const { id } = (await api.create(merchant, { amount: '500' })).body;
      const evidence = { ...EVIDENCE, providerTime, receiverAccountId: uuidv7() };
      const decision = decisionOn(merchant, id, 'PAID', 1, { evidence });

      await apply(service, { ...decision, occurredAt: new Date(decidedAt).toISOString() });

      const sql = 'select day::text, payments from receiver_takings where receiver_account_id = $1';
      expect(await service.db.query(sql, [evidence.receiverAccountId])).toEqual([{ day, payments: 1 }]);
    },
  );
});
