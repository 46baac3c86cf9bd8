import { OPERATIONS as EVERY_OPERATION, type Environment, type Operation } from '@pay/contracts';
import { type ServiceClient } from '@pay/http';
import { aRandomMsisdn } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { urlOfTestEndpoint } from '../src/sandbox/test-endpoints/provide-test-endpoint';
import { insertTestEndpoint, registerTestEndpoint } from '../src/sandbox/test-endpoints/test-endpoint-repository';
import { ClockServices } from './clock-services';
import { ask, REQUESTS, type Asked, type Requests } from './dashboard-requests';
import {
  call,
  nothingForwarded,
  someDeliveries,
  someExceptions,
  somePayments,
  type Shop,
} from './dashboard-under-test';
import type { TestSettings } from './service-under-test';

type Service = Pick<ServiceClient, 'request'>;

const API_URL = 'http://127.0.0.1:1';
const OWN = EVERY_OPERATION.filter(({ service }) => service === 'dashboard-api');

/** Every operation of dashboard-api that needs a session. */
export const SESSION_OPERATIONS = OWN.filter(({ credential }) => credential.kind === 'session');
/** Ids of its operations that need no credential. */
export const PUBLIC_IDS = OWN.filter(({ credential }) => credential.kind === 'none').map(({ id }) => id);

const WRONG_PASSWORD = 'not the password of this user';
const testEndpoints = new Map<string, { readonly id: string; readonly url: string }>();

/** Those of an account and of the sandbox; those of `/v1/dashboard` are in `REQUESTS`. */
const OTHER_REQUESTS: Requests = {
  getOwnSession: async () => ({}),
  listOwnSessions: async () => ({}),
  endOwnSession: async () => ({ id: uuidv7(), refusal: 'NOT_FOUND' }),
  endOtherSessions: async () => ({}),
  switchMerchant: async ({ merchantId }) => ({ body: { merchantId } }),
  joinMerchant: async () => ({ body: { token: 'A'.repeat(43) }, refusal: 'INVITATION_NOT_VALID' }),
  forgetKnownBrowsers: async () => ({}),
  changePassword: async () => ({
    body: { currentPassword: WRONG_PASSWORD, newPassword: 'nine violet bicycles at dawn' },
    refusal: 'PASSWORD_WRONG',
  }),
  enrolTwoFactor: async () => ({ body: { password: WRONG_PASSWORD }, refusal: 'PASSWORD_WRONG' }),
  confirmTwoFactor: async () => ({ body: { code: '123456' }, refusal: 'TWO_FACTOR_NOT_BEGUN' }),
  disableTwoFactor: async () => ({ body: { password: WRONG_PASSWORD }, refusal: 'PASSWORD_WRONG' }),
  // sms-ingest does not respond, which only permitted users see.
  runSimulator: async (_shop, environment) => ({
    body: {
      environment,
      paymentMethod: 'bkash_send_money',
      amount: 500.5,
      receiverMsisdn: aRandomMsisdn(),
      senderMsisdn: aRandomMsisdn(),
    },
    refusal: 'SERVICE_UNAVAILABLE',
  }),
  listTestCases: async () => ({}),
  runTestCase: async (_shop, environment) => ({ key: 'wrong-amount', body: { environment } }),
  listTestRuns: async () => ({}),
  getTestRun: async (shop) => ({ id: await aTestRun(shop) }),
  watchTestRun: async (shop) => ({ id: await aTestRun(shop) }),
  createTestEndpoint: aTestEndpoint,
  getTestEndpoint: aTestEndpoint,
  changeTestEndpoint: async (shop) => ({ ...(await aTestEndpoint(shop)), body: { responseStatus: 503 } }),
  listTestEndpointRequests: async () => ({}),
  getTestClock: async () => ({}),
  advanceTestClock: async (_shop, environment) => ({ body: { environment, seconds: 60 } }),
  resetTestClock: async (_shop, environment) => ({ body: { environment } }),
};

export const KNOWN_IDS = [...Object.keys(REQUESTS), ...Object.keys(OTHER_REQUESTS)];

/** The request of an operation in an environment, which is named wherever the operation takes it. */
export async function askIn(shop: Shop, operation: Operation, environment: Environment): Promise<Asked> {
  const other = OTHER_REQUESTS[operation.id];
  const asked = other ? await other(shop, environment) : await ask(shop, operation, environment);
  if (operation.query?.shape['environment'] === undefined) return asked;
  const query = new URLSearchParams(asked.query);
  query.set('environment', environment);
  return { ...asked, query: `?${query.toString()}` };
}

/** Environments in which a request can be made; only SANDBOX for what belongs to none, such as people. */
export function environmentsOf({ path, query, body, credential }: Operation): readonly Environment[] {
  const named = [query, body].some(
    (schema) => schema !== undefined && 'shape' in schema && hasEnvironment(schema.shape),
  );
  const limited = credential.kind === 'session' && credential.sandboxOnly !== undefined;
  const isAboutObject = /\/(?:api-keys|receiver-accounts|devices|webhook-endpoints|webhook-deliveries)\/:id/.test(path);
  return named || limited || isAboutObject ? ['SANDBOX', 'LIVE'] : ['SANDBOX'];
}

function hasEnvironment(shape: unknown): boolean {
  return typeof shape === 'object' && shape !== null && 'environment' in shape;
}

async function aTestRun({ service, people }: Shop): Promise<string> {
  const token = await service.tokenOf(people.OWNER.userId);
  const { body } = await call(`${service.url}/v1/sandbox/test-cases/wrong-amount/run`, 'POST', token, {});
  return body.id as string;
}

async function aTestEndpoint({ service, merchantId }: Shop): Promise<Asked> {
  if (testEndpoints.has(merchantId)) return {};
  const [id, token] = [uuidv7(), merchantId.replaceAll('-', '')];
  await insertTestEndpoint(service.db, merchantId, token, 'sealed');
  await registerTestEndpoint(service.db, merchantId, token, id);
  testEndpoints.set(merchantId, { id, url: urlOfTestEndpoint(API_URL, token) });
  return {};
}

const clock = new ClockServices();

/** The test clock and test endpoints are answered here, everything else by `others`. */
function withSandbox(others: Service, itsClock: Service): Service {
  return {
    request: async (method, path, request) => {
      if (path.startsWith('/internal/v1/test-clock')) return itsClock.request(method, path, request);
      if (path !== '/internal/v1/sandbox/endpoints') return others.request(method, path, request);
      const own = testEndpoints.get(request.tenant?.merchantId ?? '');
      const endpoints = own === undefined ? [] : [{ ...own, eventTypes: [], isActive: true }];
      return request.schema.parse({ endpoints });
    },
  };
}

/** The other services, as these requests need them. Test runs stay queued. */
export const OTHER_SERVICES: TestSettings = {
  smsIngest: nothingForwarded,
  intentApi: withSandbox(somePayments.intentApi, clock.intentApi),
  reconciler: withSandbox(someExceptions, clock.reconciler),
  webhookDispatcher: withSandbox(someDeliveries, clock.webhookDispatcher),
  publicApiUrl: API_URL,
  withoutTestRuns: true,
};
