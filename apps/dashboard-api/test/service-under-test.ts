import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { DirectoryKind, EventOf, ServiceName } from '@pay/contracts';
import { httpServer, ServiceCallFailed, type HttpServer, type ServiceClient } from '@pay/http';
import { type Messaging } from '@pay/messaging';
import { dropNamespace, openTestMessaging } from '@pay/messaging/testing';
import { migrate, openDatabase, type Database, type Transaction } from '@pay/persistence';
import { limitSessions, openRateLimits } from '@pay/rate-limits';
import { createLogger, createMetrics, createSecretBox, type SecretBox } from '@pay/runtime';
import { amqpUrl, eventually, testDatabase, testNamespace, type TestDatabase } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createApp, createInternalApp } from '../src/app';
import type { Mail, MailTransport } from '../src/mails/mail-transport';
import type { InvitationDeps } from '../src/people/create-invitation';
import { createSignIn, type SignInSettings } from '../src/sign-in/create-sign-in';
import { migrations } from '../src/db/migrations';
import { createMailQueue, type MailQueue } from '../src/mails/mail-queue';
import { openSession } from '../src/sign-in/open-session';
import type { SignInDeps } from '../src/sign-in/sign-in-deps';
import type { ChangeDeps } from '../src/changes/store-change';
import { openCsvExports } from '../src/exports/stream-csv';
import { openChangeStreams } from '../src/live-updates/change-streams';
import { readMarks } from '../src/live-updates/read-marks';
import { createSandbox } from '../src/sandbox/create-sandbox';
import type { SandboxLimitValues } from '../src/sandbox/limit-sandbox';
import { createWorkers } from '../src/worker';

const service = 'dashboard-api' satisfies ServiceName;
export const PEER_SECRETS = {
  'checkout-api': 'c'.repeat(32),
  'intent-api': 'i'.repeat(32),
  'sms-ingest': 's'.repeat(32),
  'webhook-dispatcher': 'w'.repeat(32),
  reconciler: 'r'.repeat(32),
};
export const SESSION_SECRET = 'test session '.repeat(3);
/** Limits per address are those of a busy office, because every test comes from the same one. */
const SETTINGS: SignInSettings = {
  NODE_ENV: 'production',
  SESSION_SECRET: [SESSION_SECRET],
  TOTP_ENCRYPTION_KEYS: [{ id: 'k1', key: randomBytes(32) }],
  LOGIN_LIMIT_PER_ACCOUNT: 5,
  LOGIN_LIMIT_ACCOUNT_SECONDS: 300,
  LOGIN_LIMIT_PER_ADDRESS: 10_000,
  LOGIN_LIMIT_UNKNOWN_BROWSERS: 50,
  LOGIN_LIMIT_UNKNOWN_BROWSERS_SECONDS: 3_600,
};
/** High, because tests send many requests. */
const FAR_LIMITS: SandboxLimitValues = {
  RATE_LIMIT_LIVE_PER_SECOND: 100_000,
  RATE_LIMIT_SANDBOX_PER_SECOND: 100_000,
  RATE_LIMIT_LIVE_MERCHANT_PER_SECOND: 100_000,
  RATE_LIMIT_SANDBOX_MERCHANT_PER_SECOND: 100_000,
  RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: 100_000,
  RATE_LIMIT_TEST_WEBHOOKS_PER_SECOND: 100_000,
  RATE_LIMIT_UNSIGNED_TEST_WEBHOOKS_PER_MINUTE: 100_000,
};
export const quietLog = createLogger({ service, level: 'silent' });

export interface AuditRow {
  readonly actor: string;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly merchant_id: string;
  readonly environment: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

export interface ServiceUnderTest {
  readonly url: string;
  readonly internalUrl: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly db: Database;
  readonly messaging: Messaging;
  readonly lines: string[];
  readonly hookSecrets: SecretBox;
  readonly mails: MailQueue;
  /** The sent mails, unless the test passes a transport. */
  readonly sent: readonly Mail[];
  /** What invitations need beside `deps`. */
  readonly mailDeps: Pick<InvitationDeps, 'mails' | 'apiUrl' | 'dashboardUrl'>;
  /** The first mail to an address, as soon as it has gone out. */
  mailTo(address: string): Promise<Mail>;
  /** The dependencies of use cases, with an actor named `test`. */
  readonly deps: ChangeDeps;
  /** Another process of the service on the same database, with other settings. */
  replica(settings: TestSettings): Promise<{ readonly url: string; stop(): Promise<void> }>;
  /** An access token of a session that is begun for this purpose. */
  tokenOf(userId: string): Promise<string>;
  /** Runs a use case in its own transaction. */
  change<T>(work: (deps: ChangeDeps, tx: Transaction) => Promise<T>): Promise<T>;
  /** Events in the outbox about one record for all services, in order; without re-sends to a single service. */
  announced(id: string): Promise<EventOf[]>;
  /** Audit entries of one record, in order. */
  audited(id: string): Promise<AuditRow[]>;
  stop(): Promise<void>;
}

export function migratedDatabase(): Promise<TestDatabase> {
  return testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: quietLog }) });
}

export interface TestSettings extends Partial<SignInSettings> {
  /** Default: keeps mails in memory. */
  readonly mailTransport?: Pick<MailTransport, 'send'>;
  /** Default: a high number. */
  readonly mostApiKeys?: number;
  /** sms-ingest's internal routes; away when absent. */
  readonly smsIngest?: Pick<ServiceClient, 'request'>;
  /** The reconciler's internal routes; away when absent. */
  readonly reconciler?: Pick<ServiceClient, 'request'>;
  /** Internal routes of others that evidence files are made from; away when absent. */
  readonly intentApi?: Pick<ServiceClient, 'request'>;
  readonly checkoutApi?: Pick<ServiceClient, 'request'>;
  readonly webhookDispatcher?: Pick<ServiceClient, 'request'>;
  /** Requests per second of one user; high by default. */
  readonly requestsPerUser?: number;
  /** Limits of the sandbox; high by default. */
  readonly sandboxLimits?: Partial<SandboxLimitValues>;
  /** Leaves test runs to the spec. */
  readonly withoutTestRuns?: boolean;
  /** Where test runs find the public API; nowhere when absent. */
  readonly publicApiUrl?: string;
  readonly trustedProxyCidrs?: readonly string[];
  /** What time it is; tokens of libraries are signed at the real one. */
  readonly now?: () => Date;
  /** Inserted before or around the parts of the service. */
  readonly signIn?: (own: SignInDeps) => Partial<SignInDeps>;
}

const nobody: Pick<ServiceClient, 'request'> = {
  request: () => Promise.reject(new ServiceCallFailed('unavailable', 'sms-ingest', 'no answer')),
};

/** dashboard-api composed as in main.ts, with its own database and queues, reached through real ports. */
export async function startService(given: TestSettings = {}): Promise<ServiceUnderTest> {
  const database = await migratedDatabase();
  const namespace = testNamespace();
  const lines: string[] = [];
  const log = createLogger({
    service,
    level: 'debug',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const metrics = createMetrics(service);
  const now = given.now ?? (() => new Date());
  const db = await openDatabase({ url: database.url, poolSize: 8, applicationName: service, log, migrations });
  const messaging = await openTestMessaging({ url: amqpUrl(), namespace, service, db, log, metrics });
  const kernel = { log, metrics, trustedProxyCidrs: given.trustedProxyCidrs ?? [] };
  const manage = { db, messaging, now, newId: uuidv7 };
  const mailBox = createSecretBox(SETTINGS.TOTP_ENCRYPTION_KEYS, 'mail');
  const mails = createMailQueue({ box: mailBox, now, newId: uuidv7 });
  const sent: Mail[] = [];
  const transport = given.mailTransport ?? { send: async (_id: string, mail: Mail) => void sent.push(mail) };
  const mail = {
    box: mailBox,
    transport,
    sent: metrics.counter('dashboard_mails_sent_total'),
    refused: metrics.counter('dashboard_mails_refused_total'),
  };
  const authOf = (settings: TestSettings) =>
    createSignIn({ ...manage, mails, log }, { ...SETTINGS, ...given, ...settings });
  const auth = authOf({});
  const signIn = { ...auth.signIn, ...given.signIn?.(auth.signIn) };
  const hookSecrets = createSecretBox([{ id: 'h1', key: randomBytes(32) }], 'forwarder_hook');
  const { smsIngest = nobody, reconciler = nobody, intentApi = nobody } = given;
  const { checkoutApi = nobody, webhookDispatcher = nobody } = given;
  const devices = { smsIngest, apiUrl: 'https://api.shop.example/', offlineSeconds: 180, log };
  const clock = () => performance.now();
  const rateLimits = openRateLimits({ db, replica: uuidv7(), log, metrics, clock });
  const perUser = rateLimits.limiter({ name: 'user', count: given.requestsPerUser ?? 100_000, seconds: 1 });
  const limitSession = limitSessions(rateLimits, perUser);
  const sandbox = createSandbox(
    {
      ...manage,
      log,
      rateLimits,
      limitSession,
      currentSession: auth.currentSession,
      clock,
      clients: { smsIngest, reconciler, intentApi, checkoutApi, webhookDispatcher, shops: webhookDispatcher },
    },
    {
      ...SETTINGS,
      ...FAR_LIMITS,
      ...given.sandboxLimits,
      PUBLIC_API_URL: given.publicApiUrl ?? 'http://127.0.0.1:1',
      PUBLIC_INTENT_API_URL: undefined,
      PUBLIC_CHECKOUT_API_URL: undefined,
      PUBLIC_WEBHOOK_API_URL: undefined,
    },
  );
  const others = {
    ...sandbox.deps,
    limitSession,
    mails,
    pageFiles: undefined,
    dashboardUrl: undefined,
    reconciler,
    intentApi,
    checkoutApi,
    webhookDispatcher,
    shops: webhookDispatcher,
    ...devices,
  };
  const changeStreams = openChangeStreams({
    readMarks: (tenant) => readMarks({ db, now, intentApi, reconciler, offlineSeconds: 180 }, tenant),
    currentSession: auth.currentSession,
    clock,
    log,
  });
  const csvExports = openCsvExports();
  const mostApiKeys = given.mostApiKeys ?? 1_000;
  const appOf = (own: typeof auth) =>
    createApp(kernel, { ...manage, ...own, hookSecrets, mostApiKeys, changeStreams, csvExports, ...others });
  const app = appOf({ ...auth, signIn });
  const http = httpServer({ app, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
  const internalApp = createInternalApp(kernel, { ...manage, peerSecrets: PEER_SECRETS });
  const internalHttp = httpServer({ app: internalApp, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const workers = [
    ...createWorkers({ db, messaging, log, now, mail, recordRetentionDays: 36_500 }),
    rateLimits.worker(),
    sandbox.workers.runStreams,
    ...(given.withoutTestRuns ? [] : [sandbox.workers.testRuns]),
    changeStreams.worker,
    http,
    internalHttp,
  ];
  const running = Promise.all(workers.map((worker) => worker.run(stop.signal)));
  const deps: ChangeDeps = { messaging, actor: 'test', now, newId: uuidv7 };

  return {
    url: await urlOf(http),
    internalUrl: await urlOf(internalHttp),
    databaseUrl: database.url,
    namespace,
    db,
    messaging,
    lines,
    deps,
    hookSecrets,
    mails,
    sent,
    mailTo: (address) => eventually(() => sent.find(({ to }) => to === address), `a mail to ${address} is sent`),
    mailDeps: { mails, apiUrl: devices.apiUrl, dashboardUrl: undefined },
    async replica(settings) {
      const stopped = new AbortController();
      const server = httpServer({ app: appOf(authOf(settings)), host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
      const serving = server.run(stopped.signal);
      const stopReplica = async () => {
        stopped.abort();
        await serving;
      };
      return { url: await urlOf(server), stop: stopReplica };
    },
    tokenOf: async (userId) =>
      (await db.transaction((tx) => openSession(signIn, tx, { userId, address: null, userAgent: null }))).body
        .accessToken,
    change: (work) => db.transaction((tx) => work(deps, tx)),
    async announced(id) {
      const rows = await db.query<{ body: string }>(
        'select body from outbox where aggregate_id = $1 and target_queue is null order by seq',
        [id],
      );
      return rows.map(({ body }) => JSON.parse(body) as EventOf);
    },
    audited: (id) => db.query<AuditRow>('select * from audit_log where subject_id = $1 order by at, id', [id]),
    async stop() {
      stop.abort();
      await running;
      await messaging.close();
      await db.close();
      await dropNamespace(amqpUrl(), namespace);
      await database.drop();
    },
  };
}

async function urlOf(server: HttpServer): Promise<string> {
  const { port } = await eventually(() => server.address(), 'the server listens');
  return `http://127.0.0.1:${port}`;
}

export const ALL_KINDS: readonly DirectoryKind[] = ['merchant', 'api_key', 'receiver_account', 'device'];
