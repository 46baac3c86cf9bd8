import {
  dashboardOperations,
  rolesIn,
  type Environment,
  type ErrorCode,
  type Operation,
  type Role,
} from '@pay/contracts';
import { aRandomMsisdn } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { allowUnsignedTexts } from '../src/devices/allow-unsigned-texts';
import { disableDevice } from '../src/devices/disable-device';
import { lockApiKey } from '../src/api-keys/lock-api-key';
import { setReceiverAccountActive } from '../src/receivers/set-receiver-account-active';
import {
  aDevice,
  aHook,
  anApiKey,
  anInvitation,
  aNumberProof,
  aReceiver,
  aUser,
  call,
  closeNumberProofs,
  someExceptions,
  somePayments,
  someSms,
  someWebhooks,
  type Answered,
  type Shop,
} from './dashboard-under-test';
import type { ServiceUnderTest } from './service-under-test';

export const OPERATIONS: readonly Operation[] = Object.values(dashboardOperations);

export function rolesOf({ credential }: Operation): readonly Role[] {
  return rolesIn(credential, 'SANDBOX');
}

export interface Asked {
  /** The subject of the operation, if its path contains one. */
  readonly id?: string;
  /** Of the record in the audit log, if neither the path nor the response contains it. */
  readonly subjectId?: string;
  /** Of a forwarder hook. */
  readonly hookId?: string;
  /** Of a test case. */
  readonly key?: string;
  readonly query?: string;
  readonly body?: unknown;
  /** Number of records that the request changes; default one. */
  readonly changes?: number;
  /** A business error that only users with permission receive. The request succeeds if absent. */
  readonly refusal?: ErrorCode;
}

export type Requests = Readonly<Record<string, (shop: Shop, environment: Environment) => Promise<Asked>>>;

/** Recorded when it is requested, and when it is done. */
function anEndpointChange({ merchantId }: Shop, environment: Environment, body?: object): Asked {
  return { id: someWebhooks.addEndpoint(merchantId, environment), body, changes: 2 };
}

/** Recorded when it is requested, and when it is done. */
function aDecision(merchantId: string, given: object = {}): Asked {
  return { id: someExceptions.add(merchantId), body: { reason: 'Seen on the phone', ...given }, changes: 2 };
}

/** For every operation a request that succeeds and, if it writes, changes something; its subject is created first. */
export const REQUESTS: Requests = {
  getMerchant: async () => ({}),
  changeMerchant: async () => ({ body: { name: `Boi Bazar ${uuidv7()}` } }),
  listAlerts: async () => ({}),
  getAlertSettings: async () => ({}),
  changeAlertSettings: async ({ merchantId }, environment) => ({
    subjectId: merchantId,
    body: { environment, kinds: ['device_silent'] },
  }),
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
  createApiKey: async (_shop, environment) => ({ body: { environment, name: 'Shop' } }),
  listApiKeys: async () => ({}),
  getApiKey: async (shop, environment) => ({ id: await anApiKey(shop, environment) }),
  changeApiKey: async (shop, environment) => ({ id: await anApiKey(shop, environment), body: { name: 'Shop, new' } }),
  lockApiKey: async (shop, environment) => ({ id: await anApiKey(shop, environment) }),
  unlockApiKey: async (shop, environment) => {
    const apiKeyId = await anApiKey(shop, environment);
    await shop.service.change((deps, tx) => lockApiKey(deps, tx, { apiKeyId, isLocked: true }));
    return { id: apiKeyId };
  },
  revokeApiKey: async (shop, environment) => ({ id: await anApiKey(shop, environment) }),
  rotateApiKey: async (shop, environment) => ({ id: await anApiKey(shop, environment), body: {}, changes: 2 }),
  createReceiverAccount: async (_shop, environment) => ({
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
  getReceiverAccount: async (shop, environment) => ({ id: await aReceiver(shop, { where: environment }) }),
  changeReceiverAccount: async (shop, environment) => ({
    id: await aReceiver(shop, { where: environment }),
    body: { label: 'Counter', limits: { dailyAmount: 50_000.5, dailyCount: 40 } },
  }),
  activateReceiverAccount: async (shop, environment) => {
    const receiverAccountId = await aReceiver(shop, { where: environment });
    await shop.service.change((deps, tx) => setReceiverAccountActive(deps, tx, { receiverAccountId, isActive: false }));
    return { id: receiverAccountId };
  },
  deactivateReceiverAccount: async (shop, environment) => ({ id: await aReceiver(shop, { where: environment }) }),
  createDevice: async (shop, environment) => ({
    body: {
      environment,
      name: 'Counter phone',
      sims: [{ simSlot: 1, receiverAccountIds: [await aReceiver(shop, { where: environment })] }],
    },
  }),
  listDevices: async () => ({}),
  getDevice: async (shop, environment) => ({ id: await aDevice(shop, environment) }),
  changeDevice: async (shop, environment) => ({ id: await aDevice(shop, environment), body: { name: 'Other phone' } }),
  beginDevicePairing: async (shop, environment) => ({ id: await aDevice(shop, environment) }),
  allowUnsignedTexts: async (shop, environment) => ({
    id: await aDevice(shop, environment),
    body: { acknowledgeForgedPayments: true, reason: 'The only app that runs on this phone' },
  }),
  refuseUnsignedTexts: async (shop, environment) => {
    const deviceId = await aDevice(shop, environment);
    const allowed = { deviceId, isAllowed: true, reason: 'The only app that runs on this phone' };
    await shop.service.change((deps, tx) => allowUnsignedTexts(deps, tx, allowed));
    return { id: deviceId };
  },
  disableDevice: async (shop, environment) => ({ id: await aDevice(shop, environment) }),
  enableDevice: async (shop, environment) => {
    const deviceId = await aDevice(shop, environment);
    await shop.service.change((deps, tx) => disableDevice(deps, tx, { deviceId, isDisabled: true }));
    return { id: deviceId };
  },
  createForwarderHook: async (shop, environment) => ({
    id: await aDevice(shop, environment),
    body: { adapter: 'sms-gateway-android' },
  }),
  listForwarderHooks: async (shop, environment) => ({ id: await aDevice(shop, environment) }),
  deleteForwarderHook: async (shop, environment) => {
    const deviceId = await aDevice(shop, environment);
    return { id: deviceId, hookId: (await aHook(shop, deviceId, 'sms-gateway-android')).hook.id };
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
  getDailyClose: async (_shop, environment) => ({ query: `?environment=${environment}&date=2026-11-21` }),
  getDailyBalances: async (_shop, environment) => ({ query: `?environment=${environment}&until=2026-11-21` }),
  reparseSmsEvents: async ({ merchantId }, environment) => ({
    id: merchantId,
    body: { environment, dryRun: false },
    changes: 2,
  }),
  listSmsEvents: async ({ merchantId }) => {
    someSms.add(merchantId);
    return { query: '?status=UNPARSED' };
  },
  getSmsEvent: async ({ merchantId }) => ({ id: someSms.add(merchantId) }),
  getSmsEventText: async ({ merchantId }) => ({ id: someSms.add(merchantId) }),
  reparseSmsEvent: async ({ merchantId }) => ({ id: someSms.add(merchantId), body: { dryRun: false }, changes: 2 }),
  reportSmsEvent: async ({ merchantId }) => ({ id: someSms.add(merchantId), changes: 2 }),
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
  createEndpoint: async (_shop, environment) => ({
    body: { environment, url: 'https://shop.example/hooks' },
    changes: 2,
  }),
  listEndpoints: async () => ({}),
  getEndpoint: async ({ merchantId }, environment) => ({ id: someWebhooks.addEndpoint(merchantId, environment) }),
  changeEndpoint: async (shop, environment) => anEndpointChange(shop, environment, { isActive: false }),
  deleteEndpoint: async (shop, environment) => anEndpointChange(shop, environment),
  verifyEndpoint: async (shop, environment) => anEndpointChange(shop, environment),
  testEndpoint: async (shop, environment) => anEndpointChange(shop, environment),
  rotateEndpointSecret: async (shop, environment) => anEndpointChange(shop, environment, {}),
  finishEndpointRotation: async (shop, environment) => anEndpointChange(shop, environment),
  recoverEndpoint: async (shop, environment) => anEndpointChange(shop, environment, { since: '2026-11-21T10:00:00Z' }),
  getEndpointRecovery: async ({ merchantId }, environment) => ({
    id: someWebhooks.addEndpoint(merchantId, environment),
  }),
  listDeliveries: async () => ({}),
  getDelivery: async ({ merchantId }, environment) => ({ id: someWebhooks.addDelivery(merchantId, environment) }),
  redeliver: async ({ merchantId }, environment) => ({
    id: someWebhooks.addDelivery(merchantId, environment),
    changes: 2,
  }),
};

/** The request of an operation about an object, or for a list, of this environment. */
export async function ask(shop: Shop, operation: Operation, environment: Environment = 'SANDBOX'): Promise<Asked> {
  const request = REQUESTS[operation.id];
  if (!request) throw new Error(`no request is known for ${operation.id}`);
  return request(shop, environment);
}

export function send(service: ServiceUnderTest, operation: Operation, asked: Asked, token?: string): Promise<Answered> {
  const values: Readonly<Record<string, string | undefined>> = {
    id: asked.id,
    forwarderHookId: asked.hookId,
    key: asked.key,
  };
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '');
  return call(service.url + path + (asked.query ?? ''), operation.method.toUpperCase(), token, asked.body);
}
