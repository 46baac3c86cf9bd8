import { aRandomMsisdn, failOnLeaks } from '@pay/testing';
import { startCopy, type CopyOfDirectory } from './copy-of-directory';
import { aReceiver, openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('receiver accounts per environment and method, with limits per day and month', () => {
  let service: ServiceUnderTest;
  let copy: CopyOfDirectory;
  let shop: Shop;
  let other: Shop;
  beforeAll(async () => {
    service = await startService();
    copy = await startCopy(service.namespace);
    shop = await openShop(service);
    other = await openShop(service);
  });
  afterAll(async () => {
    await copy.stop();
    await service.stop();
  });

  const RECEIVERS = '/v1/dashboard/receiver-accounts';
  const add = (change: object = {}, whose = shop) =>
    whose.people.OWNER.post(RECEIVERS, {
      ...{ environment: 'SANDBOX', paymentMethod: 'NAGAD_PAYMENT', msisdn: aRandomMsisdn() },
      ...change,
    });

  it('are added with their number in its one form, a label and limits, and announced with them', async () => {
    const limits = { dailyAmount: '50000.50', monthlyAmount: 300_000 };

    const { status, body } = await add({
      ...{ msisdn: '+880 1712-000001', paymentMethod: 'bkash_send_money', label: ' Counter ', limits },
    });

    expect(status).toBe(201);
    const kept = { dailyAmount: '50000.5', monthlyAmount: '300000', dailyCount: null };
    expect(body).toMatchObject({
      ...{ msisdn: '01712000001', paymentMethod: 'BKASH_SEND_MONEY', label: 'Counter', limits: kept },
      ...{ environment: 'SANDBOX', isActive: true, version: 1 },
    });
    const [event] = await service.announced(body.id);
    expect(event).toMatchObject({ type: 'receiver_account.changed', data: { limits: kept } });
    await expect(shop.people.VIEWER.get(`${RECEIVERS}/${body.id}`)).resolves.toEqual({ status: 200, body });
  });

  it('limits are replaced as a whole, and lifted; the same ones again change nothing', async () => {
    const { id } = (await add({ limits: { dailyAmount: 100, dailyCount: 3 } })).body;
    const path = `${RECEIVERS}/${id}`;
    const { patch } = shop.people.ADMIN;

    const replaced = await patch(path, { limits: { monthlyAmount: 9_000, dailyCount: 5 }, label: 'Till' });
    const same = await patch(path, { limits: { dailyCount: 5, monthlyAmount: '9000.00' } });
    const untouched = await patch(path, {});
    const lifted = await patch(path, { limits: null, label: null });

    expect(replaced.body).toMatchObject({
      limits: { dailyAmount: null, monthlyAmount: '9000', dailyCount: 5 },
      label: 'Till',
      version: 2,
    });
    expect(same).toEqual(replaced);
    expect(untouched).toEqual(replaced);
    expect(lifted.body).toMatchObject({ limits: null, label: null, version: 3 });
    expect((await service.announced(id)).map(({ data }) => (data as { limits: object }).limits)).toEqual([
      { dailyAmount: '100', monthlyAmount: null, dailyCount: 3 },
      replaced.body.limits,
      null,
    ]);
  });

  it.each<[string, object, string]>([
    ['a number of another country', { msisdn: '+919812345678' }, 'msisdn must be a mobile number of Bangladesh'],
    ['no number', { msisdn: undefined }, 'msisdn is required'],
    ['a method that does not exist', { paymentMethod: 'ROCKET' }, 'paymentMethod must be one of'],
    ['a limit of nothing', { limits: { dailyAmount: 0 } }, 'dailyAmount must be more than 0'],
    ['a limit with three decimals', { limits: { monthlyAmount: '1.005' } }, 'monthlyAmount must be more than 0'],
    ['a count that is none', { limits: { dailyCount: 1.5 } }, 'dailyCount must be a whole number'],
    ['limits that are no object', { limits: 7 }, 'limits must be an object'],
  ])('%s is answered 400', async (_name, change, sentence) => {
    const { status, body } = await add(change);

    expect({ status, message: body.message }).toEqual({ status: 400, message: [expect.stringContaining(sentence)] });
  });

  it('are listed by environment and method', async () => {
    const id = await aReceiver(other, { where: 'LIVE' });
    await aReceiver(other);

    const { body } = await other.people.VIEWER.get(`${RECEIVERS}?environment=LIVE&paymentMethod=bkash_send_money`);

    expect(body).toMatchObject({ data: [{ id, environment: 'LIVE' }], total: 1, page: 1, limit: 20 });
    await expect(other.people.VIEWER.get(`${RECEIVERS}?paymentMethod=NAGAD_CASHOUT`)).resolves.toMatchObject({
      body: { data: [], total: 0 },
    });
  });

  it('a number is there once per merchant, environment and method', async () => {
    const msisdn = aRandomMsisdn();

    const answers = [
      await add({ msisdn }),
      await add({ msisdn }),
      await add({ msisdn, paymentMethod: 'NAGAD_SEND_MONEY' }),
      await add({ msisdn, environment: 'LIVE' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 409, 201, 201]);
    expect(answers[1]?.body).toMatchObject({ code: 'RECEIVER_ACCOUNT_EXISTS' });
  });

  describe('a number in LIVE belongs to one merchant', () => {
    const LIVE = { environment: 'LIVE' };

    it('while it is active there; in SANDBOX everybody may use every number', async () => {
      const msisdn = aRandomMsisdn();
      const { id } = (await add({ ...LIVE, msisdn })).body;

      const refused = await add({ ...LIVE, msisdn, paymentMethod: 'BKASH_PAYMENT' }, other);
      const sandbox = [await add({ msisdn }), await add({ msisdn }, other)];
      await shop.people.OWNER.post(`${RECEIVERS}/${id}/deactivate`);
      const taken = await add({ ...LIVE, msisdn }, other);
      const back = await shop.people.OWNER.post(`${RECEIVERS}/${id}/activate`);

      expect(refused).toMatchObject({ status: 409, body: { code: 'RECEIVER_NUMBER_TAKEN' } });
      expect(sandbox.map(({ status }) => status)).toEqual([201, 201]);
      expect(taken.status).toBe(201);
      expect(back).toMatchObject({ status: 409, body: { code: 'RECEIVER_NUMBER_TAKEN' } });
      expect(JSON.stringify(refused.body)).not.toContain(shop.merchantId);
    });

    it('also when two merchants add it in the same moment', async () => {
      for (let round = 0; round < 5; round += 1) {
        const msisdn = aRandomMsisdn();

        const answers = await Promise.all([
          ...['BKASH_PAYMENT', 'NAGAD_PAYMENT'].map((paymentMethod) => add({ ...LIVE, msisdn, paymentMethod })),
          ...['BKASH_PAYMENT', 'NAGAD_PAYMENT'].map((paymentMethod) => add({ ...LIVE, msisdn, paymentMethod }, other)),
        ]);

        expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
        expect(answers[0]?.status).toBe(answers[1]?.status);
      }
    });
  });
});
