import type { IntentStatus } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { apply, decisionOn } from './decisions';
import { merchantApi } from './merchant-api';
import { aKey, aMerchant, BKASH, NAGAD, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('GET /v1/payments/intents', () => {
  let service: ServiceUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const ids = (body: { data: { id: string }[] }) => body.data.map((intent) => intent.id);
  const move = (owner: MerchantUnderTest, id: string, status: IntentStatus) =>
    apply(service, decisionOn(owner, id, status, 1, { evidence: null }));

  /** Sets times of creation by SQL. */
  async function backdate(created: ReadonlyMap<string, string>) {
    await service.db.transaction(async (tx) => {
      await tx.execute('alter table payment_intents disable trigger payment_intents_fixed_terms');
      for (const [id, at] of created) {
        const sql = `update payment_intents set created_at = $2, expires_at = $2::timestamptz + interval '1 day' where id = $1`;
        await tx.execute(sql, [id, at]);
      }
      await tx.execute('alter table payment_intents enable trigger payment_intents_fixed_terms');
    });
  }

  describe('pages', () => {
    let owner: MerchantUnderTest;
    let newestFirst: string[];

    beforeAll(async () => {
      owner = await aMerchant(service.db);
      newestFirst = [];
      for (let i = 0; i < 25; i += 1) newestFirst.unshift((await api.create(owner)).body.id);
    });

    it('returns the newest twenty, the exact total, page and limit', async () => {
      const { status, body } = await api.list(owner);

      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 25, page: 1, limit: 20 });
      expect(ids(body)).toEqual(newestFirst.slice(0, 20));
      expect(body.data[0]).toEqual((await api.get(owner, newestFirst[0] ?? '')).body);
    });

    it('contain all intents without gaps or repeats', async () => {
      const pages = await Promise.all([1, 2, 3].map((page) => api.list(owner, `?page=${page}&limit=10`)));

      expect(pages.flatMap((page) => ids(page.body))).toEqual(newestFirst);
    });

    it('have a stable order for intents of the same time', async () => {
      const twin = await aMerchant(service.db);
      const created: string[] = [];
      for (let i = 0; i < 5; i += 1) created.push((await api.create(twin)).body.id);
      await backdate(new Map(created.map((id) => [id, '2026-01-01T00:00:00Z'])));

      const whole = ids((await api.list(twin)).body);
      const apart = await Promise.all([1, 2, 3, 4, 5].map((page) => api.list(twin, `?limit=1&page=${page}`)));

      expect(apart.flatMap((page) => ids(page.body))).toEqual(whole);
      expect(whole).toEqual([...whole].sort().reverse());
    });

    it('past the end are empty and keep the total', async () => {
      expect((await api.list(owner, '?page=4')).body).toEqual({ data: [], total: 25, page: 4, limit: 20 });
    });

    it('have at most a hundred rows and return that limit if a larger one is requested', async () => {
      expect((await api.list(owner, '?limit=5000')).body.limit).toBe(100);
    });

    it('contain no intent of another merchant or environment', async () => {
      const otherMerchant = await aMerchant(service.db);
      const live = { apiKey: await aKey(service.db, { id: owner.id, environment: 'LIVE' }) };

      expect([(await api.list(otherMerchant)).body.total, (await api.list(live)).body.total]).toEqual([0, 0]);
    });
  });

  describe('filters', () => {
    let owner: MerchantUnderTest;
    let bkashPaid: string;
    let bkash: string;
    let nagad: string;
    let open: string;

    beforeAll(async () => {
      owner = await aMerchant(service.db, { receivers: [BKASH, NAGAD] });
      const create = async (fields: Record<string, unknown>) => (await api.create(owner, fields)).body.id as string;
      bkashPaid = await create({ paymentMethod: 'bkash_send_money', merchantReference: 'order-1' });
      bkash = await create({ paymentMethod: 'BKASH_SEND_MONEY', merchantReference: 'order-2' });
      nagad = await create({ paymentMethod: 'NAGAD_SEND_MONEY', merchantReference: 'order-1' });
      open = await create({ customerReference: 'Inv-20 41' });
      await move(owner, bkashPaid, 'PAID');
      await backdate(
        new Map([
          [bkashPaid, '2026-11-01T00:00:00.000Z'],
          [bkash, '2026-11-02T00:00:00.000Z'],
          [nagad, '2026-11-03T00:00:00.000Z'],
          [open, '2026-11-04T00:00:00.000Z'],
        ]),
      );
      // Another tenant with the same values, which must never be found.
      await api.create(await aMerchant(service.db), { merchantReference: 'order-1', customerReference: 'INV2041' });
    });

    it.each<[string, string, () => string[]]>([
      ['none', '', () => [open, nagad, bkash, bkashPaid]],
      ['status', 'status=PAID', () => [bkashPaid]],
      ['another status', 'status=PENDING', () => [open, nagad, bkash]],
      ['a status that nothing has', 'status=REJECTED', () => []],
      ['paymentMethod', 'paymentMethod=BKASH_SEND_MONEY', () => [bkash, bkashPaid]],
      ['paymentMethod by its alias', 'paymentMethod=nagad_send_money', () => [nagad]],
      ['merchantReference', 'merchantReference=order-1', () => [nagad, bkashPaid]],
      ['merchantReference in another case', 'merchantReference=ORDER-1', () => []],
      ['customerReference, folded', 'customerReference=inv2041', () => [open]],
      ['createdFrom, inclusive', 'createdFrom=2026-11-03T00:00:00Z', () => [open, nagad]],
      ['createdTo, inclusive', 'createdTo=2026-11-02T00:00:00Z', () => [bkash, bkashPaid]],
      ['createdFrom of another zone', 'createdFrom=2026-11-03T06:00:00%2B06:00', () => [open, nagad]],
      ['a zone with an unescaped plus', 'createdFrom=2026-11-03T06:00:00+06:00', () => [open, nagad]],
      ['a range', 'createdFrom=2026-11-02T00:00:00Z&createdTo=2026-11-03T00:00:00Z', () => [nagad, bkash]],
      ['an instant', 'createdFrom=2026-11-02T00:00:00Z&createdTo=2026-11-02T00:00:00Z', () => [bkash]],
      ['a range that is empty', 'createdFrom=2026-11-03T00:00:00Z&createdTo=2026-11-02T00:00:00Z', () => []],
      ['the year 0', 'createdFrom=0000-01-01T00:00:00Z', () => [open, nagad, bkash, bkashPaid]],
      ['status and paymentMethod', 'status=PENDING&paymentMethod=bkash_send_money', () => [bkash]],
      ['status and range', 'status=PENDING&createdTo=2026-11-03T00:00:00Z', () => [nagad, bkash]],
      ['references of both kinds', 'merchantReference=order-1&customerReference=INV-2041', () => []],
      [
        'all of them',
        'status=PAID&paymentMethod=BKASH_SEND_MONEY&merchantReference=order-1&createdFrom=2026-11-01T00:00:00Z&createdTo=2026-11-30T00:00:00Z',
        () => [bkashPaid],
      ],
    ])('select by %s', async (_name, query, expected) => {
      const { status, body } = await api.list(owner, `?${query}`);

      expect({ status, total: body.total, ids: ids(body) }).toEqual({
        status: 200,
        total: expected().length,
        ids: expected(),
      });
    });

    it('keep their total on a page past the end, and their order over pages', async () => {
      const page = async (number: number) =>
        (await api.list(owner, `?paymentMethod=BKASH_SEND_MONEY&limit=1&page=${number}`)).body;

      expect([await page(1), await page(2), await page(3)]).toMatchObject([
        { total: 2, data: [{ id: bkash }] },
        { total: 2, data: [{ id: bkashPaid }] },
        { total: 2, data: [] },
      ]);
    });
  });

  it.each([
    ['merchant_reference', 'merchantReference'],
    ['status[]', 'status'],
    ['createdfrom', 'createdFrom'],
  ])('refuses %s, because ignoring it would return every intent', async (given, meant) => {
    const { status, body } = await api.list(await aMerchant(service.db), `?${given}=PAID`);

    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: [`${given} is not a parameter; write ${meant}`],
    });
  });

  it.each([
    ['page', 'page=0'],
    ['page', 'page=-1'],
    ['page', 'page=x'],
    ['page', 'page=99999999999999999999'],
    ['limit', 'limit=0'],
    ['limit', 'limit=1.5'],
    ['status', 'status=paid'],
    ['status', 'status=CANCELLED'],
    ['status', 'status='],
    ['status', 'status=PAID&status=PENDING'],
    ['paymentMethod', 'paymentMethod=ROCKET'],
    ['merchantReference', `merchantReference=${'x'.repeat(256)}`],
    ['customerReference', 'customerReference=%3Cb%3E'],
    ['createdFrom', 'createdFrom=2026-11-21'],
    ['createdFrom', 'createdFrom=2026-11-21T00:00:00'],
    ['createdFrom', 'createdFrom=2026-02-30T00:00:00Z'],
    ['createdFrom', 'createdFrom=2026-11-21T00:00:00Z&createdFrom=2026-11-21T00:00:00Z'],
    ['createdTo', 'createdTo=yesterday'],
  ])('answers 400 with one sentence that names %s if it is invalid (%s)', async (field, query) => {
    const owner = await aMerchant(service.db);

    expect(await api.list(owner, `?${query}`)).toMatchObject({
      status: 400,
      body: { statusCode: 400, error: 'Bad Request', message: [expect.stringContaining(field)] },
    });
  });
});
