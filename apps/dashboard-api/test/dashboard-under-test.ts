import {
  apiKeyScopeSchema,
  dashboardOperations,
  ROLES,
  type DailyClose,
  type Environment,
  type Forwarder,
  type Operation,
  type ReparseReport,
  type Role,
} from '@pay/contracts';
import { ServiceCallFailed, serviceClient } from '@pay/http';
import { aRandomMsisdn } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { addDevice } from '../src/devices/add-device';
import { addReceiverAccount } from '../src/receivers/add-receiver-account';
import { createForwarderHook, type CreatedForwarderHook } from '../src/devices/create-forwarder-hook';
import { createInvitation } from '../src/people/create-invitation';
import { createMerchant } from '../src/merchants/create-merchant';
import { createUser } from '../src/people/create-user';
import { allowUnsignedTexts } from '../src/devices/allow-unsigned-texts';
import { disableDevice } from '../src/devices/disable-device';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { lockApiKey } from '../src/api-keys/lock-api-key';
import { requestNumberProof } from '../src/receivers/request-number-proof';
import { sendNumberProof } from '../src/receivers/send-number-proof';
import { setReceiverAccountActive } from '../src/receivers/set-receiver-account-active';
import { KnownExceptions } from './known-exceptions';
import { KnownPayments } from './known-payments';
import { KnownSms } from './known-sms';
import { KnownWebhooks } from './known-webhooks';
import { PEER_SECRETS, type ServiceUnderTest, type TestSettings } from './service-under-test';

export interface Answered {
  readonly status: number;
  readonly body: any;
}

export interface Person {
  readonly userId: string;
  readonly role: Role;
  get(path: string): Promise<Answered>;
  post(path: string, body?: unknown): Promise<Answered>;
  patch(path: string, body: unknown): Promise<Answered>;
  delete(path: string): Promise<Answered>;
}

/** A merchant with one person of each role, each with a session. */
export interface Shop {
  readonly service: ServiceUnderTest;
  readonly merchantId: string;
  readonly people: Readonly<Record<Role, Person>>;
}

export async function openShop(service: ServiceUnderTest): Promise<Shop> {
  const input = { name: 'Boi Bazar', enabledMethods: ['BKASH_PAYMENT' as const] };
  const { merchantId } = await service.change((deps, tx) => createMerchant(deps, tx, input));
  const people: Partial<Record<Role, Person>> = {};
  for (const role of ROLES) people[role] = await aPerson(service, merchantId, role);
  return { service, merchantId, people: people as Record<Role, Person> };
}

export async function aPerson(service: ServiceUnderTest, merchantId: string, role: Role): Promise<Person> {
  const userId = await aUser(service, merchantId, role);
  const token = await service.tokenOf(userId);
  const send = (method: string) => (path: string, body?: unknown) => call(service.url + path, method, token, body);
  return { userId, role, get: send('GET'), post: send('POST'), patch: send('PATCH'), delete: send('DELETE') };
}

export async function aUser(service: ServiceUnderTest, merchantId: string, role: Role): Promise<string> {
  const email = `${uuidv7()}@shop.example`;
  const user = { merchantId, email, name: 'Rahim', role };
  return (await service.change((deps, tx) => createUser(deps, tx, user))).userId;
}

export async function call(url: string, method: string, token?: string, body?: unknown): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    // A stream has no end that could be waited for.
    await response.body?.cancel();
    return { status: response.status, body: undefined };
  }
  const text = await response.text();
  const isCsv = response.headers.get('content-type')?.startsWith('text/csv');
  return { status: response.status, body: text === '' ? undefined : isCsv ? text : JSON.parse(text) };
}

export const OPERATIONS: readonly Operation[] = Object.values(dashboardOperations);

export function rolesOf({ credential }: Operation): readonly Role[] {
  return credential.kind === 'session' ? credential.roles : [];
}

interface Asked {
  /** Of what the operation is about, where its path says. */
  readonly id?: string;
  /** Of a forwarder hook. */
  readonly hookId?: string;
  readonly query?: string;
  readonly body?: unknown;
  /** How many records the request changes; one unless said. */
  readonly changes?: number;
}

const environment: Environment = 'SANDBOX';

const NOTHING_REPARSED: ReparseReport = {
  ...{ dryRun: false, examined: 0, changed: 0, unchanged: 0, changes: [], next: null },
  skipped: { textDeleted: 0, unknownDevice: 0, repeat: 0, failed: 0 },
};

const NOTHING_CLOSED: DailyClose = {
  ...{ environment, date: '2026-11-21', from: '2026-11-20T18:00:00.000Z', to: '2026-11-21T18:00:00.000Z' },
  ...{ asOf: '2026-11-22T00:00:00.000Z', isOver: true, accounts: [] },
};

/** The SMS that requests are made about. */
export const someSms = new KnownSms();

/** sms-ingest, to which nobody has forwarded anything else. */
export const nothingForwarded: NonNullable<TestSettings['smsIngest']> = {
  request: (method, path, request) => {
    const { schema } = request;
    if (/^\/internal\/v1\/sms-events(?:\?|\/(?!reparse$))/.test(path)) return someSms.request(method, path, request);
    const answers = {
      'missing-sms': { data: [], total: 0, page: 1, limit: 20 },
      'daily-close': NOTHING_CLOSED,
      'sms-events/reparse': NOTHING_REPARSED,
    };
    const [, answer] = Object.entries(answers).find(([name]) => path.startsWith(`/internal/v1/${name}`)) ?? [];
    return answer === undefined
      ? Promise.reject(new ServiceCallFailed('unavailable', 'sms-ingest', 'no answer'))
      : Promise.resolve(schema.parse(answer));
  },
};

/** The reconciler, with the exceptions that requests are made about. */
export const someExceptions = new KnownExceptions();

/** The owners of the payments that requests are made about. */
export const somePayments = new KnownPayments();

/** webhook-dispatcher, with the endpoints and deliveries that requests are made about. */
export const someWebhooks = new KnownWebhooks();

/** Webhooks of payments and the webhooks that requests are made about, at one service. */
export const someDeliveries: NonNullable<TestSettings['webhookDispatcher']> = {
  request: (method, path, request) =>
    /^\/internal\/v1\/(?:webhook(?!-statistics)|delivery-rows)/.test(path)
      ? someWebhooks.request(method, path, request)
      : somePayments.webhookDispatcher.request(method, path, request),
};

/** Noted when it is asked for, and when it is done. */
function anEndpointChange(merchantId: string, body?: object): Asked {
  return { id: someWebhooks.addEndpoint(merchantId), body, changes: 2 };
}

/** Noted when it is asked for, and when it is done. */
function aDecision(merchantId: string, given: object = {}): Asked {
  return { id: someExceptions.add(merchantId), body: { reason: 'Seen on the phone', ...given }, changes: 2 };
}

/**
 * For every operation a request that succeeds and, where it writes, changes something; what it is about is made for it.
 */
export const REQUESTS: Readonly<Record<string, (shop: Shop) => Promise<Asked>>> = {
  getMerchant: async () => ({}),
  changeMerchant: async () => ({ body: { name: `Boi Bazar ${uuidv7()}` } }),
  listUsers: async () => ({}),
  getUser: async ({ people }) => ({ id: people.VIEWER.userId }),
  changeUser: async (shop) => ({
    id: await aUser(shop.service, shop.merchantId, 'VIEWER'),
    body: { role: 'REVIEWER' },
  }),
  deactivateUser: async (shop) => ({ id: await aUser(shop.service, shop.merchantId, 'VIEWER') }),
  reactivateUser: async (shop) => {
    const id = await aUser(shop.service, shop.merchantId, 'VIEWER');
    const sql = 'update users set is_active = false, version = version + 1 where id = $1';
    await shop.service.db.execute(sql, [id]);
    return { id };
  },
  createInvitation: async () => ({ body: { email: `${uuidv7()}@shop.example`, name: 'Karim', role: 'REVIEWER' } }),
  listInvitations: async () => ({}),
  revokeInvitation: async (shop) => ({ id: await anInvitation(shop) }),
  createApiKey: async () => ({ body: { environment, name: 'Shop' } }),
  listApiKeys: async () => ({}),
  getApiKey: async (shop) => ({ id: await anApiKey(shop) }),
  changeApiKey: async (shop) => ({ id: await anApiKey(shop), body: { name: 'Shop, new' } }),
  lockApiKey: async (shop) => ({ id: await anApiKey(shop) }),
  unlockApiKey: async (shop) => {
    const apiKeyId = await anApiKey(shop);
    await shop.service.change((deps, tx) => lockApiKey(deps, tx, { apiKeyId, isLocked: true }));
    return { id: apiKeyId };
  },
  revokeApiKey: async (shop) => ({ id: await anApiKey(shop) }),
  rotateApiKey: async (shop) => ({ id: await anApiKey(shop), body: {}, changes: 2 }),
  createReceiverAccount: async () => ({
    body: { environment, paymentMethod: 'bkash_payment', msisdn: aRandomMsisdn(), label: 'Counter' },
  }),
  requestNumberProof: async (shop) => {
    await closeNumberProofs(shop);
    return { body: { msisdn: aRandomMsisdn() } };
  },
  listNumberProofs: async () => ({}),
  getNumberProof: async (shop) => {
    await closeNumberProofs(shop);
    return { id: (await aNumberProof(shop)).id };
  },
  confirmNumberProof: async (shop) => {
    await closeNumberProofs(shop);
    const { id, code } = await aNumberProof(shop);
    return { id, body: { code } };
  },
  listReceiverAccounts: async () => ({}),
  getReceiverAccount: async (shop) => ({ id: await aReceiver(shop) }),
  changeReceiverAccount: async (shop) => ({
    id: await aReceiver(shop),
    body: { label: 'Counter', limits: { dailyAmount: 50_000.5, dailyCount: 40 } },
  }),
  activateReceiverAccount: async (shop) => {
    const receiverAccountId = await aReceiver(shop);
    await shop.service.change((deps, tx) => setReceiverAccountActive(deps, tx, { receiverAccountId, isActive: false }));
    return { id: receiverAccountId };
  },
  deactivateReceiverAccount: async (shop) => ({ id: await aReceiver(shop) }),
  createDevice: async (shop) => ({
    body: { environment, name: 'Counter phone', sims: [{ simSlot: 1, receiverAccountIds: [await aReceiver(shop)] }] },
  }),
  listDevices: async () => ({}),
  getDevice: async (shop) => ({ id: await aDevice(shop) }),
  changeDevice: async (shop) => ({ id: await aDevice(shop), body: { name: 'Other phone' } }),
  beginDevicePairing: async (shop) => ({ id: await aDevice(shop) }),
  allowUnsignedTexts: async (shop) => ({
    id: await aDevice(shop),
    body: { acknowledgeForgedPayments: true, reason: 'The only app that runs on this phone' },
  }),
  refuseUnsignedTexts: async (shop) => {
    const deviceId = await aDevice(shop);
    const allowed = { deviceId, isAllowed: true, reason: 'The only app that runs on this phone' };
    await shop.service.change((deps, tx) => allowUnsignedTexts(deps, tx, allowed));
    return { id: deviceId };
  },
  disableDevice: async (shop) => ({ id: await aDevice(shop) }),
  enableDevice: async (shop) => {
    const deviceId = await aDevice(shop);
    await shop.service.change((deps, tx) => disableDevice(deps, tx, { deviceId, isDisabled: true }));
    return { id: deviceId };
  },
  createForwarderHook: async (shop) => ({ id: await aDevice(shop), body: { adapter: 'sms-gateway-android' } }),
  listForwarderHooks: async (shop) => ({ id: await aDevice(shop) }),
  deleteForwarderHook: async (shop) => {
    const deviceId = await aDevice(shop);
    return { id: deviceId, hookId: (await aHook(shop, deviceId)).hook.id };
  },
  listMissingSms: async () => ({}),
  listPayments: async () => ({ query: '?environment=SANDBOX' }),
  getPaymentStatistics: async () => ({}),
  searchPayments: async () => ({ query: '?text=500' }),
  watchChanges: async () => ({}),
  getDecisionStatistics: async () => ({}),
  getWebhookStatistics: async () => ({ query: '?environment=LIVE' }),
  getPayment: async ({ merchantId }) => ({ id: somePayments.add(merchantId) }),
  getEvidenceFile: async ({ merchantId }) => ({ id: somePayments.add(merchantId) }),
  getDailyClose: async () => ({ query: `?environment=${environment}&date=2026-11-21` }),
  reparseSmsEvents: async ({ merchantId }) => ({ id: merchantId, body: { environment, dryRun: false } }),
  listSmsEvents: async ({ merchantId }) => {
    someSms.add(merchantId);
    return { query: '?status=UNPARSED' };
  },
  getSmsEvent: async ({ merchantId }) => ({ id: someSms.add(merchantId) }),
  getSmsEventText: async ({ merchantId }) => ({ id: someSms.add(merchantId) }),
  reparseSmsEvent: async ({ merchantId }) => ({ id: someSms.add(merchantId), body: { dryRun: false } }),
  reportSmsEvent: async ({ merchantId }) => ({ id: someSms.add(merchantId) }),
  listExceptions: async () => ({}),
  getException: async ({ merchantId }) => ({ id: someExceptions.add(merchantId) }),
  resolveException: async ({ merchantId }) => aDecision(merchantId),
  linkException: async ({ merchantId }) => aDecision(merchantId, { paymentIntentId: uuidv7() }),
  rejectException: async ({ merchantId }) => aDecision(merchantId),
  refundException: async ({ merchantId }) => aDecision(merchantId),
  disownException: async ({ merchantId }) => aDecision(merchantId),
  reopenException: async ({ merchantId }) => aDecision(merchantId),
  assignException: async ({ merchantId }) => aDecision(merchantId, { assigneeId: null }),
  exportPayments: async () => ({ query: '?environment=SANDBOX' }),
  exportSmsEvents: async () => ({}),
  exportDeliveries: async () => ({ query: '?environment=LIVE' }),
  exportExceptions: async () => ({}),
  listAuditLog: async () => ({}),
  listReceiverUsage: async () => ({}),
  createEndpoint: async () => ({ body: { environment, url: 'https://shop.example/hooks' }, changes: 2 }),
  listEndpoints: async () => ({}),
  getEndpoint: async ({ merchantId }) => ({ id: someWebhooks.addEndpoint(merchantId) }),
  changeEndpoint: async ({ merchantId }) => anEndpointChange(merchantId, { isActive: false }),
  deleteEndpoint: async ({ merchantId }) => anEndpointChange(merchantId),
  verifyEndpoint: async ({ merchantId }) => anEndpointChange(merchantId),
  testEndpoint: async ({ merchantId }) => anEndpointChange(merchantId),
  rotateEndpointSecret: async ({ merchantId }) => anEndpointChange(merchantId, {}),
  finishEndpointRotation: async ({ merchantId }) => anEndpointChange(merchantId),
  recoverEndpoint: async ({ merchantId }) => anEndpointChange(merchantId, { since: '2026-11-21T10:00:00Z' }),
  getEndpointRecovery: async ({ merchantId }) => ({ id: someWebhooks.addEndpoint(merchantId) }),
  listDeliveries: async () => ({}),
  getDelivery: async ({ merchantId }) => ({ id: someWebhooks.addDelivery(merchantId) }),
  redeliver: async ({ merchantId }) => ({ id: someWebhooks.addDelivery(merchantId), changes: 2 }),
};

export async function ask(shop: Shop, operation: Operation): Promise<Asked> {
  const request = REQUESTS[operation.id];
  if (!request) throw new Error(`no request is known for ${operation.id}`);
  return request(shop);
}

export function send(service: ServiceUnderTest, operation: Operation, asked: Asked, token?: string): Promise<Answered> {
  const path = operation.path.replace(':id', asked.id ?? '').replace(':forwarderHookId', asked.hookId ?? '');
  return call(service.url + path + (asked.query ?? ''), operation.method.toUpperCase(), token, asked.body);
}

export async function anApiKey({ service, merchantId }: Shop, where = environment): Promise<string> {
  const input = { tenant: { merchantId, environment: where }, name: 'Shop', scopes: apiKeyScopeSchema.options };
  return (await service.change((deps, tx) => issueApiKey(deps, tx, input))).apiKeyId;
}

export async function aReceiver(
  { service, merchantId }: Pick<Shop, 'service' | 'merchantId'>,
  { where = environment, msisdn = aRandomMsisdn() }: { where?: Environment; msisdn?: string } = {},
): Promise<string> {
  const input = { tenant: { merchantId, environment: where }, paymentMethod: 'BKASH_SEND_MONEY' as const, msisdn };
  return (await service.change((deps, tx) => addReceiverAccount(deps, tx, input))).receiverAccountId;
}

/** A merchant has room for ten that are open. */
async function closeNumberProofs({ service, merchantId }: Shop): Promise<void> {
  const sql =
    'update number_proofs set closed_at = now() where merchant_id = $1 and proven_at is null and closed_at is null';
  await service.db.execute(sql, [merchantId]);
}

/** A request of a merchant, and the code that an operator has sent to the number. */
export async function aNumberProof({ service, merchantId, people }: Shop, msisdn = aRandomMsisdn()) {
  const { userId } = people.OWNER;
  return service.change(async (deps, tx) => {
    const { id } = await requestNumberProof(deps, tx, { merchantId, userId, msisdn });
    return { id, ...(await sendNumberProof(deps, tx, { proofId: id })) };
  });
}

export async function aDevice({ service, merchantId }: Pick<Shop, 'service' | 'merchantId'>): Promise<string> {
  const input = { tenant: { merchantId, environment }, name: 'Phone', sims: [] };
  return (await service.change((deps, tx) => addDevice(deps, tx, input))).id;
}

export async function aHook(
  { service }: Pick<Shop, 'service'>,
  deviceId: string,
  adapter: Forwarder = 'piprapay',
): Promise<CreatedForwarderHook> {
  const { hookSecrets } = service;
  return service.change((deps, tx) => createForwarderHook({ ...deps, hookSecrets }, tx, { deviceId, adapter }));
}

export async function anInvitation({ service, merchantId, people }: Shop): Promise<string> {
  const input = { merchantId, session: people.OWNER, email: `${uuidv7()}@shop.example`, name: 'Karim' };
  const { id } = await service.change((deps, tx) =>
    createInvitation({ ...deps, ...service.mailDeps }, tx, { ...input, role: 'VIEWER' }),
  );
  return id;
}

/** dashboard-api's pairing route, as sms-ingest calls it. */
export async function pairAsPhone(service: ServiceUnderTest, body: unknown): Promise<Answered> {
  const secret = PEER_SECRETS['sms-ingest'];
  const baseUrl = service.internalUrl;
  const client = serviceClient({ issuer: 'sms-ingest', audience: 'dashboard-api', secret, baseUrl });
  try {
    const paired = await client.request('POST', '/internal/v1/devices/pair', { schema: z.any(), body });
    return { status: 200, body: paired };
  } catch (error) {
    const { status = 0, code } = error as { status?: number; code?: string };
    return { status, body: { code } };
  } finally {
    await client.close();
  }
}
