import { httpServer } from '@pay/http';
import { openMessaging, outboxOnly } from '@pay/messaging';
import { openDatabase } from '@pay/persistence';
import {
  brokerOf,
  createLogger,
  createMetrics,
  createSecretBox,
  every,
  loadConfig,
  newId,
  runService,
  showSecretAges,
  warnOfTlsOff,
} from '@pay/runtime';
import { openMailTransport } from './mails/mail-transport';
import { openNeighbours } from './clients/service-clients';
import { createApp, createInternalApp } from './app';
import { assertKeysKnown } from './sign-in/assert-keys-known';
import { dashboardServiceConfig } from './config';
import { createSignIn } from './sign-in/create-sign-in';
import { migrations } from './db/migrations';
import { createMailQueue } from './mails/mail-queue';
import { auditPayments, AUDIT_INTERVAL_MS } from './payment-audit/audit-payments';
import { paymentAuditMetrics } from './payment-audit/payment-audit-metrics';
import { resendDirectoryToAll } from './directory/resend-directory';
import { createWorkers } from './worker';

const service = 'dashboard-api';

async function start(): Promise<void> {
  const config = loadConfig(dashboardServiceConfig, process.env);
  const log = createLogger({ service, level: config.LOG_LEVEL });
  warnOfTlsOff(config, log);
  const metrics = createMetrics(service);
  showSecretAges(metrics, dashboardServiceConfig, config);
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, HOST: host } = config;
  const db = await openDatabase({ url, poolSize, applicationName: service, log, migrations });
  await assertKeysKnown(db, config.TOTP_ENCRYPTION_KEYS);
  const now = () => new Date();
  const messaging = await openMessaging({
    ...{ ...brokerOf(config), service, db, log, metrics },
    onNewEpoch: (tx) => resendDirectoryToAll({ messaging: outboxOnly(), now, newId }, tx),
  });
  const peerSecrets = {
    'intent-api': config.PEER_SECRET_INTENT_API,
    'sms-ingest': config.PEER_SECRET_SMS_INGEST,
    'webhook-dispatcher': config.PEER_SECRET_WEBHOOK_DISPATCHER,
    reconciler: config.PEER_SECRET_RECONCILER,
  };
  const kernel = { log, metrics, trustedProxyCidrs: config.TRUSTED_PROXY_CIDRS };
  const manage = { db, messaging, now, newId };
  const hookSecrets = createSecretBox(config.FORWARDER_SECRET_KEYS, 'forwarder_hook');
  const mailBox = createSecretBox(config.TOTP_ENCRYPTION_KEYS, 'mail');
  const mails = createMailQueue({ box: mailBox, now, newId });
  const mailTransport = openMailTransport(config);
  const neighbours = openNeighbours(config);
  const { smsIngest, reconciler, intentApi, webhookDispatcher } = neighbours;
  const devices = { smsIngest, apiUrl: config.PUBLIC_API_URL, offlineSeconds: config.DEVICE_OFFLINE_SECONDS, log };
  const app = createApp(kernel, {
    ...manage,
    ...createSignIn({ ...manage, mails, log }, config),
    ...{ mails, dashboardUrl: config.DASHBOARD_URL },
    hookSecrets,
    mostApiKeys: config.API_KEYS_PER_ENVIRONMENT,
    ...{ reconciler, intentApi, webhookDispatcher },
    ...devices,
  });
  const audit = {
    ...{ db, log, now, services: neighbours, owner: newId() },
    metrics: paymentAuditMetrics(metrics),
  };
  await runService({
    name: service,
    log,
    metrics,
    workers: [
      ...createWorkers({
        ...{ db, messaging, log, now, mail: { box: mailBox, transport: mailTransport } },
        recordRetentionDays: config.RECORD_RETENTION_DAYS,
      }),
      every('payment audit', AUDIT_INTERVAL_MS, () => auditPayments(audit), { log }),
      httpServer({ app, host, port: config.PORT, log }),
    ],
    close: [db, messaging, mailTransport, ...Object.values(neighbours)],
    privateServer: { host, port: config.PRIVATE_PORT, handler: createInternalApp(kernel, { ...manage, peerSecrets }) },
    checks: { database: () => db.ping(), ...messaging.checks },
    shutdownSeconds: config.SHUTDOWN_SECONDS,
    release: { version: config.RELEASE_VERSION, commit: config.RELEASE_COMMIT },
  });
}

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
