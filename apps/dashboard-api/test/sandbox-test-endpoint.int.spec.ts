import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { randomBytes, randomUUID } from 'node:crypto';
import type { InternalEndpoints } from '@pay/contracts';
import type { ServiceClient } from '@pay/http';
import { signStandard } from '@pay/signing';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { STORED } from '../src/sandbox/test-endpoints/answer-test-endpoint';
import { setTestEndpointRule } from '../src/sandbox/test-endpoints/test-endpoint-repository';
import { openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

/**
 * webhook-dispatcher's public routes as far as a registration needs them: stores the endpoint that is registered.
 */
class Dispatcher {
  endpoints: { id: string; url: string; eventTypes: string[]; isActive: boolean }[] = [];
  secret = '';
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<Dispatcher> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const dispatcher = new Dispatcher(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('connection', 'close');
        if (String(request.url).endsWith('/verify')) {
          response.writeHead(200).end('{}');
          return;
        }
        const body = JSON.parse(Buffer.concat(chunks).toString()) as {
          url: string;
          secret: string;
          eventTypes: string[];
        };
        const endpoint = { id: uuidv7(), url: body.url, eventTypes: body.eventTypes, isActive: true };
        dispatcher.endpoints.push(endpoint);
        dispatcher.secret = body.secret;
        response.writeHead(201).end(JSON.stringify({ id: endpoint.id }));
      });
    });
    return dispatcher;
  }

  async close(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }

  readonly internal: Pick<ServiceClient, 'request'> = {
    request: (_method, _path, { schema }) =>
      Promise.resolve(schema.parse({ endpoints: this.endpoints } satisfies InternalEndpoints)),
  };
}

let dispatcher: Dispatcher;
let service: ServiceUnderTest;
let shop: Shop;
beforeAll(async () => {
  dispatcher = await Dispatcher.listen();
  service = await startService({
    withoutTestRuns: true,
    publicApiUrl: dispatcher.url,
    webhookDispatcher: dispatcher.internal,
  });
});
afterAll(async () => {
  await service.stop();
  await dispatcher.close();
});
failOnLeaks();
beforeEach(async () => {
  dispatcher.endpoints = [];
  shop = await openShop(service);
});

const PATH = '/v1/sandbox/test-endpoint';

async function anEndpoint(): Promise<{ url: string; endpointId: string }> {
  const { status, body } = await shop.people.DEVELOPER.post(PATH, {});
  expect(status).toBe(200);
  // The endpoint's URL is below the public URL of the API; this test calls the service directly.
  return { endpointId: body.endpointId, url: service.url + new URL(body.url).pathname };
}

async function send(url: string, body: object, secret = dispatcher.secret) {
  const text = JSON.stringify(body);
  const [id, seconds] = [uuidv7(), Math.floor(Date.now() / 1_000)];
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-webhook-id': id,
      cookie: 'secret=1',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signStandard(id, seconds, text, secret),
    },
    body: text,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const paid = (id: string, environment = 'SANDBOX') => ({
  event: 'payment.paid',
  environment,
  data: { payment_intent_id: id },
});
const orderStatus = (id: string) => ({
  event: 'webhook.order_status',
  environment: 'SANDBOX',
  data: { payment_intent_id: id },
});
const requests = async () => (await shop.people.VIEWER.get(`${PATH}/requests`)).body;

describe('the hosted test endpoint', () => {
  it('is registered and verified once, and registered again after it was deleted', async () => {
    const first = await anEndpoint();
    const again = await anEndpoint();
    dispatcher.endpoints = [];
    const next = await anEndpoint();

    expect(again).toEqual(first);
    expect(next.endpointId).not.toBe(first.endpointId);
    expect(next.url).not.toBe(first.url);
    expect((await shop.people.VIEWER.get(PATH)).body).toMatchObject({
      endpointId: next.endpointId,
      responseStatus: 200,
    });
  });

  it('stores headers, body and the result of the signature check, without cookies', async () => {
    const { url } = await anEndpoint();
    const id = randomUUID();

    expect(await send(url, paid(id))).toMatchObject({ status: 200, body: { received: true } });
    expect((await send(url, paid(id), 'another secret of somebody')).status).toBe(401);

    const { data, total } = await requests();
    expect(total).toBe(2);
    expect(data[1]).toMatchObject({
      signature: 'VALID',
      eventType: 'payment.paid',
      paymentIntentId: id,
      responseStatus: 200,
      body: JSON.stringify(paid(id)),
    });
    expect(data[0]).toMatchObject({ signature: 'INVALID', responseStatus: 401 });
    expect(data[1].headers['x-webhook-id']).toBeDefined();
    expect(data[1].headers.cookie).toBeUndefined();
  });

  it('answers a challenge, and the status of an order as a correct shop', async () => {
    const { url } = await anEndpoint();
    const [id, other] = [randomUUID(), randomUUID()];
    await send(url, paid(id));
    await send(url, paid(other, 'OTHER'));
    await send(url, paid(other), 'another secret of somebody');

    expect((await send(url, { event: 'webhook.endpoint_verification', challenge: 'c' })).body).toMatchObject({
      challenge: 'c',
    });
    expect((await send(url, orderStatus(id))).body).toMatchObject({ stored: true, fulfilled: true });
    expect((await send(url, orderStatus(other))).body).toMatchObject({ stored: false, fulfilled: false });
  });

  it('answers webhooks as configured, and those of one intent by a separate rule', async () => {
    const { url } = await anEndpoint();
    const id = randomUUID();
    const rule = { requests: 1, responseStatus: 500, responseDelaySeconds: 0 };
    await setTestEndpointRule(service.db, shop.merchantId, id, rule, new Date());
    await shop.people.DEVELOPER.patch(PATH, { responseStatus: 503 });

    expect((await send(url, paid(id))).status).toBe(500);
    expect((await send(url, paid(id))).status).toBe(503);
    await shop.people.DEVELOPER.patch(PATH, { responseStatus: 200 });
    expect((await send(url, paid(id))).status).toBe(200);
  });

  it.each(['webhook.test', 'alert.opened'])('answers %s as configured, but not questions', async (event) => {
    const { url } = await anEndpoint();
    await shop.people.DEVELOPER.patch(PATH, { responseStatus: 503 });

    expect((await send(url, { event, environment: 'SANDBOX', data: {} })).status).toBe(503);
    expect((await send(url, { event: 'webhook.endpoint_verification', challenge: 'c' })).status).toBe(200);
    expect((await send(url, orderStatus(randomUUID()))).status).toBe(200);
    await shop.people.DEVELOPER.patch(PATH, { responseStatus: 200 });
  });

  it('does not exist at an unknown address', async () => {
    await anEndpoint();

    expect((await send(`${service.url}/v1/sandbox/test-endpoints/${'A'.repeat(32)}`, paid(randomUUID()))).status).toBe(
      404,
    );
  });

  it('shows its requests to its merchant alone', async () => {
    const { url } = await anEndpoint();
    await send(url, paid(randomUUID()));
    const otherShop = await openShop(service);

    expect((await otherShop.people.OWNER.get(`${PATH}/requests`)).body).toMatchObject({ data: [], total: 0 });
    expect((await otherShop.people.OWNER.get(PATH)).status).toBe(404);
  });

  it('is created with an API key that the merchant can see and whose text is not stored', async () => {
    await anEndpoint();

    const { body } = await shop.people.OWNER.get('/v1/dashboard/api-keys?environment=SANDBOX');
    expect(body.data).toEqual([expect.objectContaining({ name: 'Sandbox test cases', state: 'ACTIVE' })]);
    const [row] = await service.db.query<{ sealed_key: string }>(
      'select sealed_key from test_api_keys where merchant_id = $1',
      [shop.merchantId],
    );
    expect(row?.sealed_key).not.toContain('sk_test_');
  });
});

describe('the storage of the hosted test endpoint', () => {
  /** Requests of the merchant with times in the past. */
  const fill = (signature: 'VALID' | 'INVALID', count: number) =>
    service.db.execute(
      `insert into test_endpoint_requests (id, merchant_id, received_at, headers, body, signature, response_status)
       select ('01935000-0000-7000-8000-' || lpad(to_hex(n + $4::bigint), 12, '0'))::uuid, $1, now(), '{}', 'old', $2, 200
       from generate_series(1, $3::int) n`,
      [shop.merchantId, signature, count, Math.floor(Math.random() * 2 ** 40)],
    );
  const stored = async () =>
    service.db.query<{ signature: string; total: number; old: number }>(
      `select signature, count(*)::int as total, count(*) filter (where body = 'old')::int as old
       from test_endpoint_requests where merchant_id = $1 group by signature order by signature`,
      [shop.merchantId],
    );

  it('keeps the newest requests of each kind, so that forged ones displace no webhook', async () => {
    const { url } = await anEndpoint();
    await fill('VALID', STORED.VALID.most);
    await fill('INVALID', STORED.INVALID.most);

    expect((await send(url, paid(randomUUID()))).status).toBe(200);
    for (let n = 0; n < 3; n += 1)
      expect((await send(url, paid(randomUUID()), 'another secret of somebody')).status).toBe(401);

    const { most } = STORED.INVALID;
    expect(await stored()).toEqual([
      { signature: 'INVALID', total: most, old: most - 3 },
      { signature: 'VALID', total: STORED.VALID.most, old: STORED.VALID.most - 1 },
    ]);
  });

  it('truncates requests without a valid signature', async () => {
    const { url } = await anEndpoint();
    const text = JSON.stringify({ ...paid(randomUUID()), filling: 'x'.repeat(60_000) });
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x-filling-${n}`, 'y'.repeat(200)]));

    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...many, 'x-agent': 'z'.repeat(1_000) },
      body: text,
    });

    expect(status).toBe(401);
    const [row] = (await requests()).data;
    expect(row.body.length).toBe(STORED.INVALID.bodyLength);
    expect(Object.keys(row.headers)).toHaveLength(STORED.INVALID.headers);
    expect(Math.max(...Object.values<string>(row.headers).map((value) => value.length))).toBeLessThanOrEqual(
      STORED.INVALID.headerLength,
    );
  });
});

describe('limits of the sandbox', () => {
  const LIMITS = { RATE_LIMIT_UNSIGNED_TEST_WEBHOOKS_PER_MINUTE: 12, RATE_LIMIT_TEST_WEBHOOKS_PER_SECOND: 3 };
  let limited: ServiceUnderTest;
  let own: Shop;
  beforeAll(async () => {
    limited = await startService({
      withoutTestRuns: true,
      publicApiUrl: dispatcher.url,
      webhookDispatcher: dispatcher.internal,
      sandboxLimits: { ...LIMITS, RATE_LIMIT_SANDBOX_PER_SECOND: 3, RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: 12 },
    });
  });
  afterAll(() => limited.stop());
  beforeEach(async () => {
    own = await openShop(limited);
  });

  async function itsEndpoint() {
    dispatcher.endpoints = [];
    const { body } = await own.people.DEVELOPER.post(PATH, {});
    return { url: limited.url + new URL(body.url).pathname, secret: dispatcher.secret };
  }
  const many = <T>(count: number, ask: () => Promise<T>) => Promise.all(Array.from({ length: count }, ask));
  const statusesOf = (answers: readonly { readonly status: number }[]) =>
    [...new Set(answers.map(({ status }) => status))].sort();

  it('store no more forged requests to a hosted endpoint than its limit, and still accept webhooks', async () => {
    const { url, secret } = await itsEndpoint();

    const forged = await many(40, () => send(url, paid(randomUUID()), 'another secret of somebody'));

    const refused = forged.filter(({ status }) => status === 429);
    expect(statusesOf(forged)).toEqual([401, 429]);
    expect(refused[0]?.body).toMatchObject({ code: 'RATE_LIMITED' });
    const { total } = (await own.people.VIEWER.get(`${PATH}/requests`)).body;
    expect(total).toBe(forged.length - refused.length);
    expect((await send(url, paid(randomUUID()), secret)).status).toBe(200);
  });

  it('refuse too many concurrent webhooks of one merchant only', async () => {
    const { url, secret } = await itsEndpoint();

    const answers = await many(60, () => send(url, paid(randomUUID()), secret));

    expect(statusesOf(answers)).toEqual([200, 429]);
    own = await openShop(limited);
    const other = await itsEndpoint();
    expect((await send(other.url, paid(randomUUID()), other.secret)).status).toBe(200);
  });

  it('limit clients that guess hosted endpoints, but no known one behind the same address', async () => {
    const { url, secret } = await itsEndpoint();
    expect((await send(url, paid(randomUUID()), secret)).status).toBe(200);

    // Express ignores the case of the path.
    const guesses = await many(40, () =>
      send(`${limited.url}/v1/sandbox/Test-Endpoints/${randomBytes(24).toString('base64url')}`, paid(randomUUID())),
    );
    const after = await send(`${limited.url}/v1/sandbox/test-endpoints/${'A'.repeat(32)}`, paid(randomUUID()));

    expect(guesses.filter(({ status }) => status === 404).length).toBeGreaterThan(0);
    expect(after.status).toBe(429);
    expect((await send(url, paid(randomUUID()), secret)).status).toBe(200);
  });

  it('hold for each API key, and neither for other keys nor for people', async () => {
    const [key, otherKey] = [await aKey(), await aKey()];
    const ask = (apiKey: string) => fetch(`${limited.url}/v1/sandbox/clock`, { headers: { 'x-api-key': apiKey } });

    const answers = await many(40, () => ask(key));

    expect(statusesOf(answers)).toEqual([200, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(otherKey)).status).toBe(200);
    expect((await own.people.DEVELOPER.get('/v1/sandbox/test-clock')).status).toBe(200);
    await Promise.all(answers.map(async (answer) => answer.body?.cancel()));
  });

  it('limit clients that guess API keys, but no person behind the same address', async () => {
    const key = await aKey();
    const ask = (apiKey: string) => call(`${limited.url}/v1/sandbox/clock`, apiKey);
    expect(await ask(key)).toBe(200);

    const guesses = await many(40, () => ask(`sk_test_${randomBytes(19).toString('hex')}`));

    expect(guesses).toContain(401);
    expect(await ask(`sk_test_${randomBytes(19).toString('hex')}`)).toBe(429);
    expect(await ask(key)).toBe(200);
    expect((await own.people.DEVELOPER.get('/v1/sandbox/test-clock')).status).toBe(200);
  });

  async function call(url: string, apiKey: string): Promise<number> {
    const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
    await response.body?.cancel();
    return response.status;
  }
  async function aKey(): Promise<string> {
    const tenant = { merchantId: own.merchantId, environment: 'SANDBOX' } as const;
    const input = { tenant, name: 'CI', scopes: ['sandbox:simulate'] as const };
    return (await limited.change((deps, tx) => issueApiKey(deps, tx, input))).apiKey;
  }
});
