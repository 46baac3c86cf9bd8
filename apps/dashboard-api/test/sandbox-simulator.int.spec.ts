import { formatAmount, type ApiKeyScope, type Environment, type InternalIntent, type SmsMatch } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

type Asked = Parameters<ServiceClient['request']>;

const SMS_EVENT_ID = uuidv7();
const INTENT_ID = uuidv7();
const AT = '2026-11-23T05:00:00.000Z';
const COMPOSED = {
  paymentMethod: 'bkash_send_money',
  amount: 500.5,
  customerReference: 'TEA-77',
  receiverMsisdn: '01700000900',
  senderMsisdn: '01711000999',
};

/** The responses of the other services, set by each test. */
const asked: Asked[] = [];
let match: SmsMatch | null;
let statuses: InternalIntent['intent']['status'][];
let owner: string;

const smsIngest = service((...request) => {
  asked.push(request);
  return {
    sms: { sender: 'bKash', message: 'You have received Tk 500.50 …', receiverMsisdn: '01700000900', receivedAt: AT },
    smsEvent: {
      id: SMS_EVENT_ID,
      status: 'PARSED',
      duplicate: false,
      provider: 'BKASH',
      kind: 'SEND_MONEY_RECEIVED',
      paymentMethod: 'BKASH_SEND_MONEY',
      amount: formatAmount(50_050n),
      fee: '0',
      commission: null,
      balance: '10500.5',
      trxId: 'DKN4A1B2C3',
      reference: 'TEA-77',
      senderMsisdn: '01711000999',
      receiverAccountId: null,
      receiverMsisdn: '01700000900',
      providerTime: AT,
      parserVersion: '5',
      authenticity: 'device_key',
      signals: [],
      failureReason: null,
    },
  };
});
const reconciler = service((...request) => {
  asked.push(request);
  return { match };
});
const intentApi = service(() => ({
  merchantId: owner,
  environment: 'SANDBOX',
  sequence: 2,
  intent: {
    id: INTENT_ID,
    amount: '500.5',
    currency: 'BDT',
    status: statuses.length > 1 ? statuses.shift() : statuses[0],
    customerReference: 'TEA-77',
    merchantReference: 'INV-7',
    paymentMethod: 'BKASH_SEND_MONEY',
    receiverMsisdn: '01700000900',
    receiverAccountId: null,
    shownReceivers: [],
    methodFixed: true,
    expectedTrxId: null,
    expectedSenderMsisdn: null,
    customerId: null,
    language: null,
    metadata: null,
    successUrl: null,
    failedUrl: null,
    cancelUrl: null,
    expiredUrl: null,
    createdAt: AT,
    expiresAt: AT,
    paidAt: null,
  },
}));

function service(answer: (...request: Asked) => unknown): Pick<ServiceClient, 'request'> {
  return {
    request: async (method, path, request) => request.schema.parse(await answer(method, path, request)),
  };
}

const MATCHED: SmsMatch = {
  id: uuidv7(),
  environment: 'SANDBOX',
  smsEventId: SMS_EVENT_ID,
  paymentIntentId: INTENT_ID,
  path: 'REFERENCE',
  status: 'MATCHED',
  reason: 'reference_match',
  expectedAmount: '500.5',
  checks: {
    reference: 'pass',
    amount: 'pass',
    environment: 'pass',
    method: 'pass',
    receiver: 'pass',
    expiry: 'pass',
    reuse: 'pass',
  },
  receivedAmount: '500.5',
  paidInTime: null,
  doubts: [],
  candidates: [],
  assigneeId: null,
  resolvedBy: null,
  resolutionNote: null,
  createdAt: AT,
  resolvedAt: AT,
};

let under: ServiceUnderTest;
let shop: Shop;
beforeAll(async () => {
  under = await startService({ smsIngest, reconciler, intentApi });
  shop = await openShop(under);
});
afterAll(() => under.stop());
failOnLeaks();
beforeEach(() => {
  asked.length = 0;
  match = MATCHED;
  statuses = ['PAID'];
  owner = shop.merchantId;
});

const run = (body: unknown, role: 'DEVELOPER' | 'REVIEWER' | 'VIEWER' = 'DEVELOPER') =>
  shop.people[role].post('/v1/sandbox/simulator/run', body);

async function aKey(environment: Environment, scopes: readonly ApiKeyScope[]): Promise<string> {
  const tenant = { merchantId: shop.merchantId, environment };
  return (await under.change((deps, tx) => issueApiKey(deps, tx, { tenant, name: 'CI', scopes }))).apiKey;
}

async function simulateWithKey(apiKey: string, body: unknown) {
  const response = await fetch(`${under.url}/v1/sandbox/simulations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the simulator', () => {
  it('answers the text, the SMS event, the match with its checks and the intent once the intent is PAID', async () => {
    statuses = ['PENDING', 'PENDING', 'PAID'];

    const { status, body } = await run(COMPOSED);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      sms: { sender: 'bKash' },
      smsEvent: {
        id: SMS_EVENT_ID,
        parsedAmount: '500.5',
        parsedFee: '0',
        parsedBalance: '10500.5',
        parsedTrxId: 'DKN4A1B2C3',
        parsedReference: 'TEA-77',
        parsedSenderMsisdn: '01711000999',
      },
      isDecided: true,
      match: { reason: 'reference_match', checks: { reference: 'pass', reuse: 'pass' } },
      paymentIntent: { id: INTENT_ID, status: 'PAID' },
    });
    const [method, path, request] = asked[0] ?? [];
    expect([method, path, request?.tenant]).toEqual([
      'POST',
      '/internal/v1/sandbox/sms',
      { merchantId: shop.merchantId, environment: 'SANDBOX' },
    ]);
    expect(request?.body).toMatchObject({ composed: { paymentMethod: 'BKASH_SEND_MONEY', amount: '500.5' } });
  });

  it('answers the candidates and the assignee of the match, and none for a reconciler of the version before', async () => {
    const intent = { status: 'REVIEW_REQUIRED', amount: '500.5', createdAt: AT, expiresAt: AT } as const;
    const candidates: SmsMatch['candidates'] = [
      { paymentIntentId: INTENT_ID, path: 'REFERENCE', reason: 'pays', failedRules: [], doubts: [], intent },
    ];
    const shown = { candidates, assigneeId: uuidv7() };
    match = { ...MATCHED, ...shown };
    expect((await run(COMPOSED)).body).toMatchObject({ match: shown });

    match = { ...MATCHED, candidates: undefined, assigneeId: undefined } as unknown as SmsMatch;
    expect((await run(COMPOSED)).body).toMatchObject({ match: { candidates: [], assigneeId: null } });
  });

  it.each(['', 'user:'])(
    'answers the id of the reviewer also if the reconciler sends it with "%s" before it',
    async (prefix) => {
      const resolvedBy = uuidv7();
      match = {
        ...MATCHED,
        status: 'MANUALLY_RESOLVED',
        resolvedBy: `${prefix}${resolvedBy}`,
        resolutionNote: 'Checked.',
      };

      expect((await run(COMPOSED)).body).toMatchObject({ match: { resolvedBy } });
    },
  );

  it('sends a text of the caller as given', async () => {
    match = null;
    const raw = { sender: 'bKash', message: 'hello', receiverMsisdn: '01700000900' };
    match = { ...MATCHED, status: 'UNPARSED', reason: 'unsupported_format', paymentIntentId: null, checks: null };

    const { status, body } = await run(raw);

    expect(status).toBe(200);
    expect(body).toMatchObject({ match: { status: 'UNPARSED' }, paymentIntent: null, isDecided: true });
    expect(asked[0]?.[2].body).toEqual({ raw });
  });

  it('answers after five seconds that an SMS is not decided', async () => {
    match = null;

    const { status, body } = await run(COMPOSED);

    expect(status).toBe(200);
    expect(body).toMatchObject({ smsEvent: { id: SMS_EVENT_ID }, match: null, paymentIntent: null, isDecided: false });
  });

  it("does not show another merchant's intent", async () => {
    owner = uuidv7();

    expect(await run(COMPOSED)).toMatchObject({ status: 404 });
  });

  it('answers 403 for LIVE and sends nothing', async () => {
    expect(await run({ ...COMPOSED, environment: 'LIVE' })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await run({ sender: 'bKash', message: 'x', receiverMsisdn: '017', environment: 'LIVE' })).toMatchObject({
      status: 403,
    });
    expect(asked).toEqual([]);
  });

  it('is refused to a REVIEWER and a VIEWER', async () => {
    expect((await run(COMPOSED, 'REVIEWER')).status).toBe(403);
    expect((await run(COMPOSED, 'VIEWER')).status).toBe(403);
  });

  it('names the fields that are wrong', async () => {
    const { status, body } = await run({ ...COMPOSED, amount: '1.234', senderMsisdn: '12' });

    expect(status).toBe(400);
    expect(String(body.message)).toContain('amount');
    expect(String(body.message)).toContain('senderMsisdn');
  });

  it('records the user who simulated an SMS, without its text', async () => {
    await run(COMPOSED);

    const [entry] = (await under.audited(SMS_EVENT_ID)).slice(-1);
    expect(entry).toMatchObject({
      actor: `user:${shop.people.DEVELOPER.userId}`,
      action: 'sms.simulated',
      environment: 'SANDBOX',
      after: { amount: '500.5', paymentIntentId: INTENT_ID },
    });
    expect(JSON.stringify(entry)).not.toContain('received');
  });

  it('answers 503 while sms-ingest does not answer', async () => {
    const silent: Pick<ServiceClient, 'request'> = {
      request: () => Promise.reject(new ServiceCallFailed('unavailable', 'sms-ingest', 'no answer')),
    };
    const other = await startService({ smsIngest: silent, reconciler, intentApi });
    try {
      const otherMerchant = await openShop(other);

      expect(await otherMerchant.people.OWNER.post('/v1/sandbox/simulator/run', COMPOSED)).toMatchObject({
        status: 503,
      });
    } finally {
      await other.stop();
    }
  });
});

describe('an API key', () => {
  it('with the scope sandbox:simulate simulates, and its use is stored', async () => {
    const apiKey = await aKey('SANDBOX', ['sandbox:simulate']);

    expect(await simulateWithKey(apiKey, COMPOSED)).toMatchObject({ status: 200, body: { isDecided: true } });

    const [entry] = (await under.audited(SMS_EVENT_ID)).slice(-1);
    const keyId = entry?.actor.replace('api_key:', '') ?? '';
    expect(await under.db.query('select 1 from api_key_uses where api_key_id = $1', [keyId])).toHaveLength(1);
  });

  it('without the scope is answered 403', async () => {
    expect((await simulateWithKey(await aKey('SANDBOX', ['payments:write']), COMPOSED)).status).toBe(403);
  });

  it('of LIVE is answered 403 and sends nothing', async () => {
    expect((await simulateWithKey(await aKey('LIVE', ['sandbox:simulate']), COMPOSED)).status).toBe(403);
    expect(asked).toEqual([]);
  });

  it('of a merchant that is switched off is answered 401', async () => {
    const apiKey = await aKey('SANDBOX', ['sandbox:simulate']);
    const setActive = (isActive: boolean) =>
      under.db.execute('update merchants set is_active = $2, version = version + 1, updated_at = now() where id = $1', [
        ...[shop.merchantId, isActive],
      ]);
    await setActive(false);

    expect((await simulateWithKey(apiKey, COMPOSED)).status).toBe(401);
    await setActive(true);
  });
});
