import {
  apiKeyScopeSchema,
  ROLES,
  type DailyClose,
  type Environment,
  type Forwarder,
  type ReparseReport,
  type Role,
} from '@pay/contracts';
import { ServiceCallFailed, serviceClient } from '@pay/http';
import { aRandomMsisdn, eventually } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { addDevice } from '../src/devices/add-device';
import { addReceiverAccount } from '../src/receivers/add-receiver-account';
import { createForwarderHook, type CreatedForwarderHook } from '../src/devices/create-forwarder-hook';
import { createInvitation } from '../src/people/create-invitation';
import { createMerchant } from '../src/merchants/create-merchant';
import { createUser } from '../src/people/create-user';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { requestNumberProof } from '../src/receivers/request-number-proof';
import { sendNumberProof } from '../src/receivers/send-number-proof';
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

/** A row that the test has locked, so that requests which need it wait until `release`. */
export async function lockedRow({ db }: Pick<ServiceUnderTest, 'db'>, lock: string, parameters: readonly unknown[]) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let changes: readonly (readonly [sql: string, values: readonly unknown[]])[] = [];
  let done = Promise.resolve();
  await new Promise<void>((held, failed) => {
    done = db.transaction(async (tx) => {
      await tx.query(lock, [...parameters]);
      held();
      await released;
      for (const [sql, values] of changes) await tx.execute(sql, [...values]);
    });
    done.catch(failed);
  });
  return {
    waiters: (count: number) =>
      eventually(async () => {
        const [row] = await db.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return row?.count === count;
      }, `${count} requests wait for the row`),
    /** `last`: changes before the lock is released. */
    release: async (...last: typeof changes) => {
      changes = last;
      release();
      await done;
    },
  };
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

const environment: Environment = 'SANDBOX';

const NOTHING_REPARSED: ReparseReport = {
  dryRun: false,
  examined: 0,
  changed: 0,
  unchanged: 0,
  changes: [],
  next: null,
  skipped: { textDeleted: 0, unknownDevice: 0, repeat: 0, failed: 0 },
};

const NOTHING_CLOSED: DailyClose = {
  environment,
  date: '2026-11-21',
  from: '2026-11-20T18:00:00.000Z',
  to: '2026-11-21T18:00:00.000Z',
  asOf: '2026-11-22T00:00:00.000Z',
  isOver: true,
  accounts: [],
};

/** The SMS that requests are made about. */
export const someSms = new KnownSms();

/** sms-ingest without any other forwarded SMS. */
export const nothingForwarded: NonNullable<TestSettings['smsIngest']> = {
  request: (method, path, request) => {
    const { schema } = request;
    if (/^\/internal\/v1\/sms-events(?:\?|\/(?!reparse$))/.test(path)) return someSms.request(method, path, request);
    const answers = {
      'missing-sms': { data: [], total: 0, page: 1, limit: 20 },
      'daily-close': NOTHING_CLOSED,
      'daily-balances': { environment, asOf: NOTHING_CLOSED.asOf, accounts: [] },
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
export async function closeNumberProofs({ service, merchantId }: Shop): Promise<void> {
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

export async function aDevice(
  { service, merchantId }: Pick<Shop, 'service' | 'merchantId'>,
  where = environment,
): Promise<string> {
  const input = { tenant: { merchantId, environment: where }, name: 'Phone', sims: [] };
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
