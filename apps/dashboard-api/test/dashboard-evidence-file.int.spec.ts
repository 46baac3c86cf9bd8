import { evidenceFileSchema, type DailyBalances, type DailyClose } from '@pay/contracts';
import type { ServiceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { openShop, type Shop } from './dashboard-under-test';
import { KnownPayments } from './known-payments';
import { startService, type ServiceUnderTest } from './service-under-test';

const CLOSE: DailyClose = {
  environment: 'LIVE',
  date: '2026-11-21',
  from: '2026-11-20T18:00:00.000Z',
  to: '2026-11-21T18:00:00.000Z',
  asOf: '2026-11-22T00:00:00.000Z',
  isOver: true,
  accounts: [
    {
      receiverAccountId: uuidv7(),
      paymentMethod: 'BKASH_SEND_MONEY',
      receiverMsisdn: '01700000900',
      texts: 3,
      openingBalance: '1500',
      matched: { count: 1, amount: '50.5' },
      unmatched: { count: 0, amount: '0' },
      otherIncoming: { count: 0, amount: '0' },
      outgoing: { count: 1, amount: '500' },
      fees: '5',
      commissions: '0',
      adjustments: '0',
      closingBalance: '1000.05',
      expectedBalance: '1045.5',
      difference: '-45.45',
      doubtful: { count: 0, amount: '0' },
      duplicates: 0,
      missing: [],
      moneyWithoutOrder: [
        {
          smsEventId: uuidv7(),
          at: '2026-11-21T04:00:00.000Z',
          amount: '60',
          trxId: 'DKL4A1B2C3',
          reference: '-1+HYPERLINK("http://x")',
          matchStatus: 'PENDING',
        },
      ],
    },
  ],
};

const BALANCES: DailyBalances = {
  environment: 'LIVE',
  asOf: '2026-11-22T00:00:00.000Z',
  accounts: [
    {
      receiverAccountId: uuidv7(),
      paymentMethod: 'BKASH_SEND_MONEY',
      receiverMsisdn: '01700000900',
      days: [{ date: '2026-11-21', closingBalance: '1000.05' }],
    },
  ],
};

const payments = new KnownPayments();
const asked: string[] = [];
const smsIngest: Pick<ServiceClient, 'request'> = {
  request: (_method, path, { schema }) => {
    asked.push(path);
    return Promise.resolve(schema.parse(path.startsWith('/internal/v1/daily-balances') ? BALANCES : CLOSE));
  },
};
let service: ServiceUnderTest;
let shop: Shop;
beforeAll(async () => {
  const { intentApi, reconciler, checkoutApi, webhookDispatcher } = payments;
  service = await startService({ smsIngest, intentApi, reconciler, checkoutApi, webhookDispatcher });
  shop = await openShop(service);
});
afterAll(() => service.stop());
failOnLeaks();
beforeEach(() => payments.away.clear());

const fileOf = (id: string) => shop.people.VIEWER.get(`/v1/dashboard/payments/${id}/evidence-file`);

describe('an evidence file', () => {
  it('contains the whole history: the payment, its decisions and their makers, and the responses to the shop', async () => {
    payments.decidedBy = `user:${shop.people.REVIEWER.userId}`;
    const id = payments.add(shop.merchantId);

    const { status, body } = await fileOf(id);

    expect(status).toBe(200);
    expect(evidenceFileSchema.parse(body)).toMatchObject({
      paymentIntentId: id,
      environment: 'SANDBOX',
      missing: [],
      payment: { id, status: 'PAID' },
      judgement: {
        intent: { id },
        decisions: [{ reviewer: { id: shop.people.REVIEWER.userId, name: 'Rahim' }, position: '7', isAuthentic: true }],
      },
      checkout: [{ action: 'viewed', paymentMethod: null, outcome: null }],
      webhooks: [{ eventType: 'payment.paid', status: 'DELIVERED' }],
    });
  });

  it("does not contain the name of another merchant's person", async () => {
    const otherMerchant = await openShop(service);
    payments.decidedBy = `user:${otherMerchant.people.OWNER.userId}`;

    const { body } = await fileOf(payments.add(shop.merchantId));

    expect(body.judgement.decisions[0].reviewer).toEqual({ id: otherMerchant.people.OWNER.userId, name: null });
  });

  it.each([
    ['intent-api', 'payment'],
    ['reconciler', 'judgement'],
    ['checkout-api', 'checkout'],
    ['webhook-dispatcher', 'webhooks'],
  ] as const)('without %s lists the %s as missing, and contains the rest', async (owner, part) => {
    const id = payments.add(shop.merchantId);
    payments.away.add(owner);

    const { status, body } = await fileOf(id);

    expect(status).toBe(200);
    expect(evidenceFileSchema.parse(body).missing).toEqual([part]);
    expect(Object.keys(body).filter((name) => body[name] === null)).toEqual([part]);
  });

  it('is unavailable while the merchant of the payment is unknown', async () => {
    payments.away.add('intent-api').add('reconciler');

    expect(await fileOf(payments.add(shop.merchantId))).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
  });

  it.each([[], ['intent-api'], ['reconciler'], ['webhook-dispatcher']] as const)(
    "of another merchant's payment does not exist, also while %s is away",
    async (...away) => {
      for (const owner of away) payments.away.add(owner);

      expect(await fileOf(payments.add(uuidv7()))).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      const unknown = await fileOf(uuidv7());
      expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    },
  );
});

describe('a daily close', () => {
  const path = '/v1/dashboard/daily-close?environment=LIVE&date=2026-11-21';
  const get = async (query = '', accept?: string) => {
    const authorization = `Bearer ${await service.tokenOf(shop.people.VIEWER.userId)}`;
    const response = await fetch(service.url + path + query, { headers: { authorization, ...(accept && { accept }) } });
    return { type: response.headers.get('content-type')?.split(';')[0], text: await response.text() };
  };

  it('is requested for the merchant of the session, whatever the request contains', async () => {
    const { type, text } = await get(`&merchantId=${uuidv7()}`);

    expect(type).toBe('application/json');
    expect(JSON.parse(text)).toEqual(CLOSE);
    expect(asked.at(-1)).toContain(`merchantId=${shop.merchantId}`);
  });

  it.each([
    ['', 'text/csv', 'text/csv'],
    ['&format=csv', undefined, 'text/csv'],
    ['&format=json', 'text/csv', 'application/json'],
    ['', '*/*', 'application/json'],
  ])('with "%s" and Accept %s is %s', async (query, accept, type) => {
    expect((await get(query, accept)).type).toBe(type);
  });

  it('is a line per account in CSV, numbers as they are', async () => {
    const [header, line, end] = (await get('&format=csv')).text.split('\r\n');

    const cells = new Map(header?.split(',').map((name, index) => [name, line?.split(',')[index]]));
    expect(Object.fromEntries(cells)).toMatchObject({
      date: '2026-11-21',
      receiver_msisdn: '01700000900',
      opening_balance: '1500',
      matched: '50.5',
      closing_balance: '1000.05',
      difference: '-45.45',
      as_of: CLOSE.asOf,
    });
    expect(end).toBe('');
  });

  it('lists money without an order in CSV too, with no formula in it', async () => {
    const [header, line, end] = (await get('&format=csv&lines=money_without_order')).text.split('\r\n');

    expect(header).toBe(
      'date,environment,receiver_account_id,payment_method,receiver_msisdn,at,amount,trx_id,reference,match_status,sms_event_id,as_of',
    );
    expect(line).toContain(
      `,01700000900,2026-11-21T04:00:00.000Z,60,DKL4A1B2C3,"'-1+HYPERLINK(""http://x"")",PENDING,`,
    );
    expect(end).toBe('');
  });

  it.each([
    'date=2026-02-30&environment=LIVE',
    'date=yesterday&environment=LIVE',
    'date=0000-01-01&environment=LIVE',
    'date=2100-01-01&environment=LIVE',
    'environment=LIVE',
  ])('of %s is refused, by name of the field', async (query) => {
    const { status, body } = await shop.people.OWNER.get(`/v1/dashboard/daily-close?${query}`);

    expect({ status, body }).toMatchObject({ status: 400, body: { message: [expect.stringContaining('date')] } });
  });
});

describe('daily balances', () => {
  const get = (query: string) => shop.people.VIEWER.get(`/v1/dashboard/daily-balances?${query}`);

  it('are requested for the merchant of the session, for 14 days by default', async () => {
    const { status, body } = await get(`environment=LIVE&until=2026-11-21&merchantId=${uuidv7()}`);

    expect({ status, body }).toEqual({ status: 200, body: BALANCES });
    const query = new URL(asked.at(-1) ?? '', service.url).searchParams;
    expect(Object.fromEntries(query)).toEqual({
      environment: 'LIVE',
      until: '2026-11-21',
      days: '14',
      merchantId: shop.merchantId,
    });
  });

  it.each([
    ['until', 'until=2026-02-30'],
    ['until', 'until=2100-01-01'],
    ['until', 'days=14'],
    ['days', 'until=2026-11-21&days=0'],
    ['days', 'until=2026-11-21&days=32'],
    ['days', 'until=2026-11-21&days=1.5'],
  ])('are refused, naming %s, for %s', async (field, query) => {
    const { status, body } = await get(`environment=LIVE&${query}`);

    expect({ status, body }).toMatchObject({
      status: 400,
      body: { message: [expect.stringMatching(`^${field} (must|is) `)] },
    });
  });
});
