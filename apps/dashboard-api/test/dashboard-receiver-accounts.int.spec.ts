import { aRandomMsisdn, failOnLeaks } from '@pay/testing';
import { startCopy, type CopyOfDirectory } from './copy-of-directory';
import { aNumberProof, aReceiver, openShop, type Shop } from './dashboard-under-test';
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
      environment: 'SANDBOX',
      paymentMethod: 'NAGAD_PAYMENT',
      msisdn: aRandomMsisdn(),
      ...change,
    });

  it('are added with their number in its one form, a label and limits, and announced with them', async () => {
    const limits = { dailyAmount: '50000.50', monthlyAmount: 300_000 };

    const { status, body } = await add({
      msisdn: '+880 1712-000001',
      paymentMethod: 'bkash_send_money',
      label: ' Counter ',
      limits,
    });

    expect(status).toBe(201);
    const kept = { dailyAmount: '50000.5', monthlyAmount: '300000', dailyCount: null };
    expect(body).toMatchObject({
      msisdn: '01712000001',
      paymentMethod: 'BKASH_SEND_MONEY',
      label: 'Counter',
      limits: kept,
      environment: 'SANDBOX',
      isActive: true,
      version: 1,
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

  describe('a number in LIVE is several merchants’ until one has proven it', () => {
    const LIVE = { environment: 'LIVE' };
    const PROOFS = '/v1/dashboard/number-proofs';
    const isActive = async (whose: Shop, id: string) =>
      (await whose.people.OWNER.get(`${RECEIVERS}/${id}`)).body.isActive;
    const confirm = (whose: Shop, id: string, code: string) =>
      whose.people.OWNER.post(`${PROOFS}/${id}/confirm`, { code });
    const prove = async (whose: Shop, msisdn: string) => {
      const { id, code } = await aNumberProof(whose, msisdn);
      return confirm(whose, id, ` ${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`);
    };
    const noticesOf = async (whose: Shop) =>
      (await whose.people.ADMIN.get('/v1/auth/me')).body.notices.map(
        ({ kind, details }: { kind: string; details: object }) => ({ kind, ...details }),
      );

    it('another merchant with the same number does not prevent registering it; both are notified, once', async () => {
      const msisdn = aRandomMsisdn();
      const squatted = await add({ ...LIVE, msisdn }, other);

      const owned = await add({ ...LIVE, msisdn });
      await add({ ...LIVE, msisdn, paymentMethod: 'BKASH_PAYMENT' });

      expect([squatted.status, owned.status]).toEqual([201, 201]);
      for (const whose of [shop, other]) {
        const notices = (await noticesOf(whose)).filter((notice: { msisdn?: string }) => notice.msisdn === msisdn);
        expect(notices).toEqual([{ kind: 'number_shared', msisdn }]);
        expect(JSON.stringify(notices)).not.toContain(shop.merchantId);
      }
    });

    it('an account that is activated again with a number of another merchant notifies both, once', async () => {
      const msisdn = aRandomMsisdn();
      const path = `${RECEIVERS}/${(await add({ ...LIVE, msisdn }, other)).body.id}`;
      const noticesOfNumber = async (whose: Shop) =>
        (await noticesOf(whose)).filter((notice: { msisdn?: string }) => notice.msisdn === msisdn);
      await other.people.OWNER.post(`${path}/deactivate`);
      await add({ ...LIVE, msisdn });
      expect([await noticesOfNumber(shop), await noticesOfNumber(other)]).toEqual([[], []]);

      for (const change of ['activate', 'deactivate', 'activate']) await other.people.OWNER.post(`${path}/${change}`);

      const shared = [{ kind: 'number_shared', msisdn }];
      expect([await noticesOfNumber(shop), await noticesOfNumber(other)]).toEqual([shared, shared]);
    });

    it('a merchant who enters the code gets exclusive use: accounts of others end and cannot be created again', async () => {
      const msisdn = aRandomMsisdn();
      const squatted = (await add({ ...LIVE, msisdn }, other)).body.id;
      const owned = (await add({ ...LIVE, msisdn })).body.id;

      const proven = await prove(shop, msisdn);

      expect(proven).toMatchObject({ status: 200, body: { msisdn, status: 'PROVEN' } });
      expect([await isActive(shop, owned), await isActive(other, squatted)]).toEqual([true, false]);
      for (const again of [
        await other.people.OWNER.post(`${RECEIVERS}/${squatted}/activate`),
        await add({ ...LIVE, msisdn, paymentMethod: 'BKASH_PAYMENT' }, other),
      ]) {
        expect(again).toMatchObject({ status: 409, body: { code: 'RECEIVER_NUMBER_TAKEN' } });
      }
      await expect(noticesOf(other)).resolves.toContainEqual({ kind: 'number_lost', msisdn });
      const [, lost] = await service.audited(squatted);
      expect(lost).toMatchObject({
        action: 'receiver_account.number_lost',
        actor: `number_proof:${proven.body.id}`,
        after: { isActive: false },
      });
      const facts = await service.announced(squatted);
      expect(facts.at(-1)).toMatchObject({ data: { isActive: false, version: 2 } });
    });

    it('SANDBOX accounts on it are kept, whichever merchant has proven it', async () => {
      const msisdn = aRandomMsisdn();
      const { id } = (await add({ msisdn }, other)).body;

      await prove(shop, msisdn);

      expect(await isActive(other, id)).toBe(true);
    });

    it('a SIM changes hands: the later proof counts, and the number can be registered after it', async () => {
      const msisdn = aRandomMsisdn();
      await prove(shop, msisdn);
      const { id } = (await add({ ...LIVE, msisdn })).body;
      expect((await add({ ...LIVE, msisdn }, other)).status).toBe(409);

      expect((await prove(other, msisdn)).status).toBe(200);

      expect(await isActive(shop, id)).toBe(false);
      expect((await add({ ...LIVE, msisdn }, other)).status).toBe(201);
    });

    it('five wrong codes close the request, also for the right code; nothing is proven', async () => {
      const msisdn = aRandomMsisdn();
      const { id, code } = await aNumberProof(shop, msisdn);
      for (let turn = 0; turn < 5; turn++) {
        expect(await confirm(shop, id, 'AAAA2222')).toMatchObject({ status: 422, body: { code: 'CODE_WRONG' } });
      }

      expect((await confirm(shop, id, code)).status).toBe(422);
      expect((await shop.people.VIEWER.get(`${PROOFS}/${id}`)).body.status).toBe('CLOSED');
      expect((await add({ ...LIVE, msisdn }, other)).status).toBe(201);
    });

    it('the code of one merchant proves nothing for another, and reaches no answer, log or audit entry', async () => {
      const msisdn = aRandomMsisdn();
      const { id, code } = await aNumberProof(shop, msisdn);
      const foreign = await aNumberProof(other, msisdn);

      expect((await confirm(other, foreign.id, code)).body.code).toBe('CODE_WRONG');
      expect((await confirm(other, id, code)).status).toBe(404);
      const shown = [await shop.people.OWNER.get(PROOFS), await service.audited(id), service.lines];
      expect(JSON.stringify(shown)).not.toContain(code);
    });

    it('asking again answers the open request; ten are open at most', async () => {
      const asker = await openShop(service);
      const request = (msisdn: string) => asker.people.ADMIN.post(PROOFS, { msisdn });
      const first = aRandomMsisdn();
      const { id } = (await request(first)).body;
      for (let count = 1; count < 10; count += 1) expect((await request(aRandomMsisdn())).status).toBe(201);

      expect((await request(`+88${first}`)).body.id).toBe(id);
      await expect(request(aRandomMsisdn())).resolves.toMatchObject({
        status: 409,
        body: { code: 'NUMBER_PROOF_LIMIT_REACHED' },
      });
    });

    it('a proof and a registration in the same moment leave no account of another merchant active', async () => {
      for (let round = 0; round < 5; round += 1) {
        const msisdn = aRandomMsisdn();
        const { id, code } = await aNumberProof(shop, msisdn);

        const [added] = await Promise.all([add({ ...LIVE, msisdn }, other), confirm(shop, id, code)]);

        if (added.status === 201) expect(await isActive(other, added.body.id)).toBe(false);
        else expect(added.body.code).toBe('RECEIVER_NUMBER_TAKEN');
      }
    });
  });
});
