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
  const [toReconciler, secret] = [config.RECONCILER_URL, config.PEER_SECRET_RECONCILER];
  const client = (audience: 'reconciler' | 'intent-api', baseUrl: string, key: string, timeoutMs?: number) =>
    serviceClient({
      issuer: service,
      audience,
      baseUrl,
      secret: key,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  const reconciler = client('reconciler', toReconciler, secret);
  const reconcilerForViews = client('reconciler', toReconciler, secret, VIEW_DEADLINE_MS);
  const intentApi = client('intent-api', config.INTENT_API_URL, config.PEER_SECRET_INTENT_API);
  const peerSecrets = { reconciler: secret };
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
