import { openDirectory } from '@pay/directory';
import { httpServer, serviceClient } from '@pay/http';
import { openMessaging } from '@pay/messaging';
import { openDatabase } from '@pay/persistence';
import { createLogger, createMetrics, loadConfig, runService } from '@pay/runtime';
import { uuidv7 } from 'uuidv7';
import { checkoutApiConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';

const service = 'checkout-api';
/** A view does not wait longer than this for an expiry. */
const VIEW_DEADLINE_MS = 500;

async function start(): Promise<void> {
  const config = loadConfig(checkoutApiConfig, process.env);
  const log = createLogger({ service, level: config.LOG_LEVEL });
  const metrics = createMetrics(service);
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, HOST: host } = config;
  const now = () => new Date();
  const db = await openDatabase({ url, poolSize, applicationName: service, log, migrations });
  const messaging = await openMessaging({
    url: config.AMQP_URL,
    namespace: config.AMQP_NAMESPACE,
    service,
    db,
    log,
    metrics,
  });
  const directory = openDirectory({ db, messaging, service, kinds: ['merchant', 'receiver_account'], log, now });
  const toReconciler = { issuer: service, audience: 'reconciler', secret: config.PEER_SECRET_RECONCILER } as const;
  const reconciler = serviceClient({ ...toReconciler, baseUrl: config.RECONCILER_URL });
  const reconcilerForViews = serviceClient({
    ...toReconciler,
    baseUrl: config.RECONCILER_URL,
    timeoutMs: VIEW_DEADLINE_MS,
  });
  const intentApi = serviceClient({
    issuer: service,
    audience: 'intent-api',
    secret: config.PEER_SECRET_INTENT_API,
    baseUrl: config.INTENT_API_URL,
  });
  const peerSecrets = { reconciler: config.PEER_SECRET_RECONCILER };
  const { app, internalApp, workers } = createService({
    ...{ db, messaging, directory, intentApi, reconciler, reconcilerForViews, peerSecrets, log, metrics, now },
    newId: uuidv7,
  });
  await runService({
    name: service,
    log,
    metrics,
    workers: [...workers, httpServer({ app, host, port: config.PORT, log })],
    close: [db, messaging, reconciler, reconcilerForViews, intentApi],
    privateServer: { host, port: config.PRIVATE_PORT, handler: internalApp },
    checks: { database: () => db.ping(), ...messaging.checks },
    shutdownSeconds: config.SHUTDOWN_SECONDS,
  });
}

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
