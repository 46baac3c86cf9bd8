import { randomInt, randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import fc from 'fast-check';
import { ApiDocument, type DescribedOperation, type JsonSchema } from '../src/api-document';
import { awaitDay } from '../src/await-day';
import { ControlPlane } from '../src/control-plane';
import { valueOf } from '../src/generate-requests';
import { ownMerchant, type OwnAccess, type OwnMerchant } from '../src/own-merchant';
import { RawApi, type RawAnswer } from '../src/raw-api';
import { readSystem } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';
import { WebhookReceiver } from '../src/webhook-receiver';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SEED = 20261121;
const SECRET = 'a secret of one tenant';

/** One merchant in one environment, with what exists there: ids by the path of their collection. */
interface Tenant {
  readonly name: string;
  readonly merchant: OwnMerchant;
  readonly environment: 'SANDBOX' | 'LIVE';
  readonly access: OwnAccess;
  readonly session: string;
  readonly webhookUrl: string;
  readonly ids: Map<string, string>;
}

/**
 * Operations without a tenant: anybody with the id of an intent is its customer, anybody with the URL of a hook is its
 * phone, and files of the reference page are public. Test cases are the same for every tenant, and their hosted
 * endpoints have URLs like hooks.
 */
const FOR_EVERYBODY = new Set([
  ...['/v1/checkout', '/v1/docs', '/v1/sms-events/hooks', '/v1/sandbox/test-cases', '/v1/sandbox/test-endpoints'],
]);

/** The id fields of a created object, by collection; null if one of another origin is used. */
const NEW: Readonly<Record<string, ((tenant: Tenant) => Record<string, unknown>) | null>> = {
  '/v1/payments/intents': () => ({
    amount: 75,
    idempotencyKey: randomUUID(),
    paymentMethod: 'BKASH_SEND_MONEY',
    ttlSeconds: 86_400,
  }),
  '/v1/webhooks/endpoints': ({ webhookUrl }) => ({ url: webhookUrl, secret: SECRET }),
  '/v1/dashboard/api-keys': ({ environment }) => ({ environment, name: 'Second key' }),
  '/v1/dashboard/receiver-accounts': ({ environment }) => ({
    environment,
    paymentMethod: 'NAGAD_CASHOUT',
    msisdn: `017${randomInt(10_000_000, 99_999_999)}`,
  }),
  '/v1/dashboard/number-proofs': () => ({ msisdn: `018${randomInt(10_000_000, 99_999_999)}` }),
  '/v1/dashboard/devices': ({ environment }) => ({ environment, name: 'Second phone' }),
  '/v1/dashboard/devices/{id}/hooks': () => ({ adapter: 'textbee' }),
  '/v1/dashboard/invitations': () => ({ email: `${randomUUID()}@shop.example`, name: 'A person', role: 'VIEWER' }),
  '/v1/dashboard/users': null,
  '/v1/dashboard/exceptions': null,
  '/v1/dashboard/sms': null,
  '/v1/dashboard/payments': null,
  '/v1/dashboard/webhook-endpoints': null,
  '/v1/dashboard/webhook-deliveries': null,
  '/v1/sandbox/runs': null,
  '/v1/auth/sessions': null,
  '/v1/sandbox/test-cases/runs': null,
};

/**
 * What changes without a request or by reading: when a key or a phone was last seen, whether it is online, and what
 * time it is.
 */
const RESTLESS =
  /"(?:now|asOf|lastUsedAt|lastSeenAt|lastSmsAt|serverTime|madeAt|receiverOnline)":(?:"[^"]*"|null|true|false)|"status":"(?:ONLINE|OFFLINE|UNKNOWN)"/g;

const STREAM_BEGIN = ': open';

describe('no request with the credential of one tenant reads or changes data of another', () => {
  const system = readSystem(RUN_DIRECTORY);
  const document = new ApiDocument();
  const api = new RawApi(system.baseUrl);
  const tenants: Tenant[] = [];
  let receiver: WebhookReceiver;
  let before: readonly Record<string, string>[];

  beforeAll(async () => {
    await awaitDay(180_000);
    receiver = await WebhookReceiver.listen(SECRET, () => undefined);
    const controlPlane = new ControlPlane(RUN_DIRECTORY);
    for (const name of ['first', 'second']) {
      const merchant = await ownMerchant(system, controlPlane);
      const session = await api.signIn(merchant.owner.email, merchant.owner.password);
      for (const environment of ['SANDBOX', 'LIVE'] as const) {
        const access = environment === 'SANDBOX' ? merchant.sandbox : merchant.live;
        const ids = new Map([['/v1/dashboard/users', merchant.owner.id]]);
        // Of LIVE only public addresses are taken; deliveries to them are held until they are verified.
        const webhookUrl = environment === 'LIVE' ? `https://shop.example/${randomUUID()}` : receiver.url;
        tenants.push({ name: `${name} ${environment}`, merchant, environment, access, session, webhookUrl, ids });
      }
    }
    for (const tenant of tenants) await furnish(tenant);
    before = await readStates();
  }, 480_000);

  afterAll(async () => {
    for (const tenant of tenants) {
      const endpoint = tenant.ids.get('/v1/webhooks/endpoints');
      const headers = { 'x-api-key': tenant.access.apiKey };
      if (endpoint) await api.send({ method: 'DELETE', path: `/v1/webhooks/endpoints/${endpoint}`, headers });
    }
    await api.close();
    await receiver.close();
  });

  /** One object of every kind, and a payment, so that every list has something that could leak. */
  async function furnish(tenant: Tenant): Promise<void> {
    const { access, ids } = tenant;
    for (const [collection, fieldsOf] of Object.entries(NEW)) {
      const create = operationAt('POST', collection);
      if (fieldsOf === null || create === undefined) continue;
      const answer = await ask(tenant, create, addressOf(tenant, collection), fieldsOf(tenant));
      expect({ collection, status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
      ids.set(collection, (JSON.parse(answer.text) as { id: string }).id);
    }
    if (tenant.environment === 'SANDBOX') await playTestCase(tenant);
    const listSessions = operationAt('GET', '/v1/auth/sessions') as DescribedOperation;
    const sessions = JSON.parse((await ask(tenant, listSessions, listSessions.path)).text) as {
      data: { id: string }[];
    };
    ids.set('/v1/auth/sessions', sessions.data[0]?.id ?? 'missing');
    ids.set('/v1/dashboard/payments', ids.get('/v1/payments/intents') ?? 'missing');
    ids.set('/v1/dashboard/webhook-endpoints', ids.get('/v1/webhooks/endpoints') ?? 'missing');
    const intent = JSON.parse((await read(tenant, '/v1/payments/intents')).text) as {
      customerReference: string;
      receiverMsisdn: string;
    };
    const forward = () => {
      const sms = {
        sender: 'bKash',
        message: bkashSendMoney({ amount: '75', reference: intent.customerReference, trxId: newTrxId(new Date()) }),
        receiverMsisdn: intent.receiverMsisdn,
        receivedAt: new Date().toISOString(),
      };
      return api.send({
        method: 'POST',
        path: '/v1/sms-events/incoming',
        headers: { 'content-type': 'application/json', 'x-device-key': access.deviceKey },
        body: JSON.stringify(sms),
      });
    };
    const accepted = await forward();
    const { id: smsEventId } = JSON.parse(accepted.text) as { id: string };
    for (const collection of ['/v1/sms-events', '/v1/dashboard/sms']) ids.set(collection, smsEventId);
    await eventually(async () => {
      const isPaid = (await read(tenant, '/v1/payments/intents')).text.includes('"status":"PAID"');
      const deliveries = operationAt('GET', '/v1/webhooks/deliveries') as DescribedOperation;
      const { data } = JSON.parse((await ask(tenant, deliveries, deliveries.path)).text) as {
        data: { id: string; status: string }[];
      };
      for (const collection of ['/v1/webhooks/deliveries', '/v1/dashboard/webhook-deliveries'])
        if (data[0]) ids.set(collection, data[0].id);
      return isPaid && data[0]?.status === (tenant.environment === 'LIVE' ? 'PENDING' : 'DELIVERED');
    }, `${tenant.name} has a paid intent and its delivery`);
    // Money that comes twice is something for a person.
    await forward();
    const exceptions = operationAt('GET', '/v1/dashboard/exceptions') as DescribedOperation;
    const found = await eventually(async () => {
      const { text } = await ask(tenant, exceptions, `${exceptions.path}?environment=${tenant.environment}`);
      return (JSON.parse(text) as { data: { id: string }[] }).data[0];
    }, `${tenant.name} has an exception`);
    ids.set('/v1/dashboard/exceptions', found.id);
    // Statistics include a decision some seconds after it was made.
    const statistics = operationAt('GET', '/v1/dashboard/statistics/decisions') as DescribedOperation;
    await eventually(
      async () => {
        const { text } = await ask(tenant, statistics, `${statistics.path}?environment=${tenant.environment}`);
        return (JSON.parse(text) as { payments: number }).payments > 0;
      },
      `${tenant.name} has a decision in its chain`,
      { timeoutMs: 30_000 },
    );
    // Both texts show the same balance, so something is missing between them, and that is noticed a moment later.
    const missing = operationAt('GET', '/v1/dashboard/missing-sms') as DescribedOperation;
    await eventually(
      async () => {
        const { text } = await ask(tenant, missing, `${missing.path}?environment=${tenant.environment}`);
        return (JSON.parse(text) as { total: number }).total > 0;
      },
      `${tenant.name} has a missing SMS`,
      { timeoutMs: 30_000 },
    );
  }

  /** A run that sends no SMS, to its end: from then on nothing changes without a request. */
  async function playTestCase(tenant: Tenant): Promise<void> {
    const create = operationAt('POST', '/v1/sandbox/runs') as DescribedOperation;
    const answer = await ask(tenant, create, create.path, { cases: ['forged-webhook'] });
    const { id, runs } = JSON.parse(answer.text) as { id: string; runs: { id: string }[] };
    tenant.ids.set('/v1/sandbox/runs', id);
    tenant.ids.set('/v1/sandbox/test-cases/runs', runs[0]?.id ?? 'missing');
    await eventually(
      async () => (await read(tenant, '/v1/sandbox/runs')).text.includes('"status":"ENDED"'),
      `${tenant.name} has a test run that has ended`,
      { timeoutMs: 60_000 },
    );
  }

  function operationAt(method: string, path: string): DescribedOperation | undefined {
    return document.operations.find((operation) => operation.method === method && operation.path === path);
  }

  function ask(tenant: Tenant, operation: DescribedOperation, path: string, body?: unknown): Promise<RawAnswer> {
    const { access, session } = tenant;
    const credentials = {
      none: {},
      apiKey: { 'x-api-key': access.apiKey },
      deviceKey: { 'x-device-key': access.deviceKey },
      session: { authorization: `Bearer ${session}` },
    }[operation.credential];
    return api.send({
      method: operation.method,
      path,
      headers: { ...credentials, ...(operation.body && { 'content-type': 'application/json' }) },
      body: operation.body && JSON.stringify(body ?? {}),
    });
  }

  function read(tenant: Tenant, collection: string): Promise<RawAnswer> {
    const operation = operationAt('GET', `${collection}/{id}`) as DescribedOperation;
    return ask(tenant, operation, `${collection}/${tenant.ids.get(collection)}`);
  }

  /** A path with the ids of a tenant's object, and of its part if the path has two ids. */
  function addressOf({ ids }: Tenant, template: string): string {
    return template.replace(/\{\w+\}/g, (_parameter, at: number) => ids.get(template.slice(0, at - 1)) ?? 'missing');
  }

  /** Everything that its owner can read, without what reading itself changes. */
  async function stateOf(tenant: Tenant): Promise<Record<string, string>> {
    const readable = document.operations.filter(({ method, credential }) => method === 'GET' && credential !== 'none');
    const state: Record<string, string> = {};
    for (const operation of readable) {
      const { status, text } = await ask(tenant, operation, addressOf(tenant, operation.path));
      // How much of a stream its first part contains depends on the time; other operations read the same objects.
      state[`${operation.id} ${status}`] = text.startsWith(STREAM_BEGIN) ? STREAM_BEGIN : text.replace(RESTLESS, '');
    }
    return state;
  }

  /** One request after another: exports that run at the same time are limited per person. */
  async function readStates(): Promise<Record<string, string>[]> {
    const states: Record<string, string>[] = [];
    for (const tenant of tenants) states.push(await stateOf(tenant));
    expect(states.flatMap((state) => Object.keys(state).filter((key) => key.endsWith(' 429')))).toEqual([]);
    return states;
  }

  function collectionOf({ path }: DescribedOperation): string | undefined {
    return path.includes('/{') ? path.slice(0, path.indexOf('/{')) : undefined;
  }

  /** A session sees both environments of its merchant; a key sees one. */
  function foreignTo(tenant: Tenant, { credential }: DescribedOperation): Tenant[] {
    return tenants.filter((other) =>
      credential === 'session' ? other.merchant !== tenant.merchant : other !== tenant,
    );
  }

  /** Of each person one caller, of each key one. */
  function callersOf({ credential, path }: DescribedOperation): Tenant[] {
    const isOfSandbox = credential === 'session' || path.startsWith('/v1/sandbox/');
    return isOfSandbox ? tenants.filter(({ environment }) => environment === 'SANDBOX') : tenants;
  }

  const withIds = document.operations.filter(
    (operation) => collectionOf(operation) !== undefined && !FOR_EVERYBODY.has(collectionOf(operation) ?? ''),
  );
  // What changes one object is no list, whatever it answers.
  const lists = document.operations.filter(
    (operation) =>
      operation.credential !== 'none' &&
      (operation.method === 'GET' || collectionOf(operation) === undefined) &&
      answersList(operation),
  );

  /** An answer with an array of objects that have ids. */
  function answersList({ responses }: DescribedOperation): boolean {
    const schema = responses['200']?.content?.['application/json']?.schema;
    return propertiesOf(schema).some(({ type, items }) =>
      type === 'array' ? Object.hasOwn(propertyMapOf(items as JsonSchema), 'id') : false,
    );
  }

  function propertyMapOf(schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> {
    return ((schema && document.resolve(schema))?.['properties'] ?? {}) as Record<string, JsonSchema>;
  }

  function propertiesOf(schema: JsonSchema | undefined): JsonSchema[] {
    return Object.values(propertyMapOf(schema));
  }

  /** Bodies with ids of another tenant in every possible field. */
  function askingFor({ environment }: Tenant, foreign: readonly string[], body: JsonSchema): Record<string, unknown>[] {
    const properties = Object.entries(propertyMapOf(body));
    const own = properties.some(([name]) => name === 'environment') ? { environment } : {};
    const lists = properties.flatMap(([name, { type }]) => (type === 'array' ? [{ ...own, [name]: foreign }] : []));
    const ids = properties.flatMap(([name, { format }]) =>
      format === 'uuid' ? foreign.map((id) => ({ ...own, [name]: id })) : [],
    );
    return [...(lists.length > 0 ? [] : [own]), ...lists, ...ids];
  }

  it('covers every operation that takes an id or answers a list', () => {
    const made = new Set([...Object.keys(NEW), '/v1/webhooks/deliveries', '/v1/sms-events']);
    const uncovered = withIds.filter(
      (operation) => !made.has(collectionOf(operation) ?? '') || operation.credential === 'none',
    );

    expect(uncovered.map(({ id }) => id)).toEqual([]);
    expect(withIds.length).toBeGreaterThanOrEqual(3);
    expect(lists.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'listPaymentIntents',
        'listWebhookEndpoints',
        'listWebhookDeliveries',
        'listSmsStatuses',
      ]),
    );
  });

  it.each(withIds.map((operation) => [operation.id, operation] as const))(
    '%s: an id of another tenant is answered 404',
    async (_id, operation) => {
      const bodies =
        operation.body === undefined
          ? [undefined]
          : fc.sample(valueOf(document, operation.body), { numRuns: 4, seed: SEED });
      let refused = 0;
      for (const caller of callersOf(operation)) {
        for (const owner of foreignTo(caller, operation)) {
          const own = [...owner.ids.values()];
          for (const body of bodies) {
            const answer = await ask(caller, operation, addressOf(owner, operation.path), body);
            expect({ caller: caller.name, owner: owner.name, answer }).toMatchObject({
              answer: { status: answer.status === 400 && operation.body ? 400 : 404 },
            });
            if (answer.status === 404) expect(JSON.parse(answer.text)).toMatchObject({ code: 'NOT_FOUND' });
            expect(own.filter((known) => answer.text.includes(known))).toEqual([]);
            if (answer.status === 404) refused += 1;
          }
        }
      }

      expect(refused).toBeGreaterThan(0);
    },
  );

  it('deleteForwarderHook: a hook of another tenant is not deleted, with any device in the path', async () => {
    const remove = operationAt('DELETE', '/v1/dashboard/devices/{id}/hooks/{forwarderHookId}') as DescribedOperation;
    const hooks = '/v1/dashboard/devices/{id}/hooks';
    for (const caller of callersOf(remove)) {
      for (const owner of foreignTo(caller, remove)) {
        const path = `${addressOf(caller, hooks)}/${owner.ids.get(hooks)}`;
        expect(await ask(caller, remove, path)).toMatchObject({ status: 204 });
      }
    }
  });

  it('none of these requests has changed anything that a tenant can read', async () => {
    expect(await readStates()).toEqual(before);
  });

  it.each(lists.map((operation) => [operation.id, operation] as const))(
    '%s: no data of another tenant is in the list, with any filter',
    async (_id, operation) => {
      const { path: template, parameters, body } = operation;
      for (const caller of callersOf(operation)) {
        // A list that is part of an object: of one of the caller's own.
        const path = addressOf(caller, template);
        // Several collections list the same objects.
        const foreign = [...new Set(foreignTo(caller, operation).flatMap((other) => [...other.ids.values()]))];
        const filters = parameters.filter(({ in: place, schema }) => place === 'query' && schema['format'] === 'uuid');
        // A search answers nothing without a text: it is given the amount that all tenants have, and what belongs to
        // others.
        const isSearch = parameters.some(({ in: place, name }) => place === 'query' && name === 'text');
        const queries = isSearch ? ['75', ...foreign].map((text) => `?text=${text}`) : ['', '?limit=100'];
        const addresses = [
          ...queries.map((query) => path + query),
          ...filters.flatMap(({ name }) => foreign.map((id) => `${path}?${name}=${id}`)),
        ];
        for (const address of addresses) {
          for (const asked of body === undefined ? [undefined] : askingFor(caller, foreign, body)) {
            const answer = await ask(caller, operation, address, asked);
            expect({ caller: caller.name, address, status: answer.status, text: answer.text }).toMatchObject({
              status: 200,
            });
            expect(foreign.filter((id) => answer.text.includes(id))).toEqual([]);
          }
        }
      }
    },
  );
});
