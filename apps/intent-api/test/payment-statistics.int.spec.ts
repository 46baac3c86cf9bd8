import { DAY_MS, paymentStatisticsSchema, type PaymentMethod } from '@pay/contracts';
import { serviceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { findDaysOfPayments } from '../src/statistics/payment-statistics-repository';
import { dayInDhaka, startOfDayInDhaka, weekBefore } from '../src/domain/day';
import { apply, decisionOn } from './decisions';
import { merchantApi } from './merchant-api';
import { aMerchant, BKASH, NAGAD, PEER_SECRETS, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

/** Recent, because the service deletes old counts. */
const DAY = dayInDhaka(new Date(Date.now() - 3 * DAY_MS));
const WEEK_BEFORE = weekBefore(DAY);
const DAY_BEFORE = dayInDhaka(new Date(startOfDayInDhaka(DAY).getTime() - 1));

describe('statistics of payments', () => {
  let service: ServiceUnderTest;
  const api = merchantApi(() => service);
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** An intent created this number of minutes after the beginning of a day in Dhaka. */
  async function anIntent(
    { id, environment }: Pick<MerchantUnderTest, 'id' | 'environment'>,
    { day = DAY, minute = 0, status = 'PAID', method = 'BKASH_SEND_MONEY' as PaymentMethod | null },
  ): Promise<void> {
    const at = new Date(startOfDayInDhaka(day).getTime() + minute * 60_000);
    await service.db.execute(
      `insert into payment_intents (id, merchant_id, environment, idempotency_key, parameters_hash, status, amount, currency,
         customer_reference, reference_key, payment_method, shown_receivers, method_fixed, created_at, expires_at, paid_at)
       select key, $1, $2, key, '', $3, 50000, 'BDT', key, key, $4, '[]', true, $5::timestamptz, $5::timestamptz + interval '5 minutes',
         case when $3 = 'PAID' then $5::timestamptz end from gen_random_uuid() as key`,
      [id, environment, status, method, at],
    );
  }
  const daysOf = ({ id: merchantId, environment }: MerchantUnderTest) =>
    findDaysOfPayments(service.db, { merchantId, environment }, [DAY, WEEK_BEFORE]);

  it('count intents and paid intents by hour of creation in Dhaka and by method', async () => {
    const merchant = await aMerchant(service.db);
    const other = await aMerchant(service.db);
    for (const minute of [0, 59]) await anIntent(merchant, { minute });
    await anIntent(merchant, { minute: 59, status: 'EXPIRED' });
    await anIntent(merchant, { minute: 60, method: 'NAGAD_CASHOUT' });
    await anIntent(merchant, { minute: 24 * 60 - 1 });
    await anIntent(merchant, { minute: 24 * 60 });
    await anIntent(merchant, { minute: -1 });
    await anIntent(merchant, { minute: 30, status: 'PENDING', method: null });
    await anIntent(merchant, { day: WEEK_BEFORE, minute: 90, status: 'PENDING' });
    await anIntent({ ...merchant, environment: 'LIVE' }, {});
    await anIntent(other, {});

    const [today, before] = await daysOf(merchant);

    expect(today).toEqual({
      date: DAY,
      hours: [
        { hour: 0, paymentMethod: 'BKASH_SEND_MONEY', intents: 3, paid: 2 },
        { hour: 1, paymentMethod: 'NAGAD_CASHOUT', intents: 1, paid: 1 },
        { hour: 23, paymentMethod: 'BKASH_SEND_MONEY', intents: 1, paid: 1 },
      ],
      received: [],
    });
    expect(before?.hours).toEqual([{ hour: 1, paymentMethod: 'BKASH_SEND_MONEY', intents: 1, paid: 0 }]);
  });

  it('sum the amounts that receiver accounts received on each day, by method', async () => {
    const merchant = await aMerchant(service.db, { receivers: [BKASH, { ...BKASH, msisdn: '01700000009' }, NAGAD] });
    const other = await aMerchant(service.db);
    const received = [
      [merchant.accounts[0], DAY, 50_050, 2],
      [merchant.accounts[1], DAY, 100, 1],
      [merchant.accounts[2], WEEK_BEFORE, 700_000_000, 9],
      [merchant.accounts[0], DAY_BEFORE, 5, 1],
      [other.accounts[0], DAY, 5, 1],
    ];
    for (const row of received) await service.db.execute('insert into receiver_takings values ($1, $2, $3, $4)', row);

    const [today, before] = await daysOf(merchant);

    expect(today?.received).toEqual([{ paymentMethod: 'BKASH_SEND_MONEY', amount: '501.5', payments: 3 }]);
    expect(before?.received).toEqual([{ paymentMethod: 'NAGAD_SEND_MONEY', amount: '7000000', payments: 9 }]);
  });

  it('are answered only to dashboard-api, with the intents of the tenant by status', async () => {
    const merchant = await aMerchant(service.db);
    const other = await aMerchant(service.db);
    const { body } = await api.create(merchant);
    await api.create(merchant);
    await api.create(other);
    await apply(service, decisionOn(merchant, body.id, 'PAID'));
    const path = `/internal/v1/payment-statistics?merchantId=${merchant.id}&environment=SANDBOX`;
    const ask = async (issuer: 'dashboard-api' | 'reconciler') => {
      const client = serviceClient({
        issuer,
        audience: 'intent-api',
        secret: PEER_SECRETS[issuer],
        baseUrl: service.internalUrl,
      });
      try {
        return await client.request('GET', path, { schema: paymentStatisticsSchema });
      } finally {
        await client.close();
      }
    };

    expect((await ask('dashboard-api')).intents).toEqual({ PAID: 1, PENDING: 1 });
    await expect(ask('reconciler')).rejects.toMatchObject({ kind: 'rejected' });
  });
});
