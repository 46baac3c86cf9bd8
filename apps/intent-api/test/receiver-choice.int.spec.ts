import { randomUUID } from 'node:crypto';
import { draft } from '@pay/messaging';
import { eventually, failOnLeaks } from '@pay/testing';
import { apply, decisionOn } from './decisions';
import { merchantApi } from './merchant-api';
import { aDevice, aMerchant, BKASH, NAGAD, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('choice of the receiver', () => {
  let service: ServiceUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('uses the receivers of a method in turn', async () => {
    const numbers = ['01700000011', '01700000012', '01700000013'];
    const receivers = numbers.map((msisdn) => ({ ...BKASH, msisdn }));
    const busy = await aMerchant(service.db, { receivers });

    const used: string[] = [];
    for (let i = 0; i < 6; i += 1) used.push((await api.create(busy)).body.receiverMsisdn);

    expect(used).toEqual([...numbers, ...numbers]);
  });

  it('leaves method and receiver empty when the customer has a choice', async () => {
    const wide = await aMerchant(service.db, { receivers: [BKASH, NAGAD] });

    expect((await api.create(wide)).body).toMatchObject({ paymentMethod: null, receiverMsisdn: null });
  });

  it('uses a receiver of the method that the merchant named', async () => {
    const wide = await aMerchant(service.db, { receivers: [BKASH, NAGAD] });

    expect((await api.create(wide, { paymentMethod: 'nagad_send_money' })).body.receiverMsisdn).toBe(NAGAD.msisdn);
  });

  it.each([
    ['no receiver at all', { receivers: [] }, {}],
    ['none of the named method', {}, { paymentMethod: 'NAGAD_SEND_MONEY' }],
    ['only one that is switched off', { receivers: [{ ...BKASH, isActive: false }] }, {}],
    ['one of a method that is not enabled', { enabledMethods: [] }, {}],
  ])('answers RECEIVER_ACCOUNT_NOT_CONFIGURED with %s', async (_case, given, fields) => {
    const closed = await aMerchant(service.db, given);

    expect(await api.create(closed, fields)).toMatchObject({
      status: 422,
      body: { code: 'RECEIVER_ACCOUNT_NOT_CONFIGURED' },
    });
  });

  describe('in LIVE', () => {
    const SECOND = { ...BKASH, msisdn: '01700000012' };
    const live = () => aMerchant(service.db, { environment: 'LIVE', receivers: [BKASH, SECOND] });
    const MINUTE_MS = 60_000;

    /** Publishes when a phone was seen, like sms-ingest. */
    async function seen(merchant: MerchantUnderTest, deviceId: string, agoMs: number): Promise<void> {
      const seenAt = new Date(Date.now() - agoMs).toISOString();
      const event = draft('device.seen', {
        environment: 'LIVE',
        merchantId: merchant.id,
        aggregateId: deviceId,
        sequence: 0,
        occurredAt: new Date(),
        data: { deviceId, seenAt, sendsHeartbeat: true },
      });
      await service.db.transaction((tx) => service.messaging.publish(tx, [event], { queue: 'intent-api.events' }));
      await eventually(async () => {
        const sql = 'select 1 from device_sightings where device_id = $1 and seen_at >= $2';
        return (await service.db.query(sql, [deviceId, seenAt])).length === 1;
      }, 'the phone was seen');
    }
    const shownIn = async (merchant: MerchantUnderTest, times: number) => {
      const shown: string[] = [];
      for (let time = 0; time < times; time += 1) shown.push((await api.create(merchant)).body.receiverMsisdn);
      return shown;
    };

    it('uses the receiver whose phone is online, also if another was used longer ago', async () => {
      const merchant = await live();
      const [, second = ''] = merchant.accounts;
      await seen(merchant, await aDevice(service.db, merchant, [second]), MINUTE_MS);

      expect(await shownIn(merchant, 3)).toEqual([SECOND.msisdn, SECOND.msisdn, SECOND.msisdn]);
    });

    it('uses receivers in turn when all phones are online', async () => {
      const merchant = await live();
      await seen(merchant, await aDevice(service.db, merchant, merchant.accounts), 0);

      expect(await shownIn(merchant, 4)).toEqual([BKASH.msisdn, SECOND.msisdn, BKASH.msisdn, SECOND.msisdn]);
    });

    it.each([
      ['was seen more than three minutes ago', 3 * MINUTE_MS + 1_000, false],
      ['is disabled', 0, true],
    ])('uses the least recently used receiver when the only phone %s', async (_case, ago, isDisabled) => {
      const merchant = await live();
      const [, second = ''] = merchant.accounts;
      await seen(merchant, await aDevice(service.db, merchant, [second], isDisabled), ago);

      expect(await shownIn(merchant, 2)).toEqual([BKASH.msisdn, SECOND.msisdn]);
    });

    it('uses a receiver again within seconds after its phone was seen', async () => {
      const merchant = await live();
      const [first = '', second = ''] = merchant.accounts;
      await seen(merchant, await aDevice(service.db, merchant, [second]), 0);
      expect(await shownIn(merchant, 1)).toEqual([SECOND.msisdn]);

      await seen(merchant, await aDevice(service.db, merchant, [first]), 0);

      await eventually(
        async () => (await shownIn(merchant, 1))[0] === BKASH.msisdn,
        'the first receiver is shown again',
      );
    });

    it('an older last-seen time that arrives late does not make a phone offline', async () => {
      const merchant = await live();
      const device = await aDevice(service.db, merchant, [merchant.accounts[1] ?? '']);
      await seen(merchant, device, 0);
      await seen(merchant, device, 60 * MINUTE_MS);

      expect(await shownIn(merchant, 2)).toEqual([SECOND.msisdn, SECOND.msisdn]);
    });
  });

  it('ignores phones in SANDBOX', async () => {
    const SECOND = { ...BKASH, msisdn: '01700000012' };
    const merchant = await aMerchant(service.db, { receivers: [BKASH, SECOND] });
    const device = await aDevice(service.db, merchant, [merchant.accounts[1] ?? '']);
    await service.db.execute('insert into device_sightings values ($1, now())', [device]);

    expect((await api.create(merchant)).body.receiverMsisdn).toBe(BKASH.msisdn);
  });

  describe('with limits', () => {
    const none = { dailyAmount: null, monthlyAmount: null, dailyCount: null };
    const SECOND = { ...BKASH, msisdn: '01700000012' };
    const pay = async (merchant: MerchantUnderTest, amount: number) => {
      const { id } = (await api.create(merchant, { amount })).body;
      const occurredAt = new Date().toISOString();
      await apply(service, { ...decisionOn(merchant, id, 'PAID', 1, { evidence: null }), occurredAt });
    };

    it.each([
      ['dailyAmount', { ...none, dailyAmount: '900' }],
      ['monthlyAmount', { ...none, monthlyAmount: '900' }],
      ['dailyCount', { ...none, dailyCount: 1 }],
    ])('answers RECEIVER_ACCOUNT_NOT_CONFIGURED with the reason when %s is reached', async (_limit, limits) => {
      const merchant = await aMerchant(service.db, { receivers: [{ ...BKASH, limits }] });
      await pay(merchant, 500);

      const refused = await eventually(async () => {
        const reply = await api.create(merchant, { amount: 500 });
        return reply.status !== 201 && reply;
      }, 'the payment counts');

      expect(refused).toMatchObject({
        status: 422,
        body: { code: 'RECEIVER_ACCOUNT_NOT_CONFIGURED', message: expect.stringContaining('limits') },
      });
    });

    it('skips an account above its limit while another fits, and uses it for amounts that still fit', async () => {
      const limits = { ...none, dailyAmount: '900' };
      const merchant = await aMerchant(service.db, { receivers: [{ ...BKASH, limits }, SECOND] });
      await pay(merchant, 500);
      const shown = async (amount: number) => (await api.create(merchant, { amount })).body.receiverMsisdn;
      await shown(500);
      await eventually(
        async () => (await shown(500)) === SECOND.msisdn && (await shown(500)) === SECOND.msisdn,
        'it counts',
      );

      expect(await shown(400)).toBe(BKASH.msisdn);
    });

    it('returns an intent that was created before to a retry', async () => {
      const merchant = await aMerchant(service.db, { receivers: [{ ...BKASH, limits: { ...none, dailyCount: 1 } }] });
      const idempotencyKey = randomUUID();
      const first = await api.create(merchant, { idempotencyKey });
      await pay(merchant, 1);
      await eventually(async () => (await api.create(merchant)).status === 422, 'the payment counts');

      expect((await api.create(merchant, { idempotencyKey })).body.id).toBe(first.body.id);
    });
  });
});
