import { openDirectory } from '@pay/directory';
import { httpServer, serviceClient } from '@pay/http';
import { openMessaging } from '@pay/messaging';
import { openDatabase, openDatabaseClock } from '@pay/persistence';
import { brokerOf, newId, startService } from '@pay/runtime';
import { assertKeysKnown } from './endpoints/assert-keys-known';
import { webhookDispatcherConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';

const service = 'webhook-dispatcher';

startService(service, webhookDispatcherConfig, process.env, async ({ config, log, metrics }) => {
  const { DATABASE_URL, DATABASE_POOL_SIZE: poolSize, HOST: host, IDLE_CONNECTION_GRACE_MS: idleGraceMs } = config;
  const access = { url: DATABASE_URL, poolSize, applicationName: service };
  const db = await openDatabase({ ...access, log, metrics, migrations });
  const { now, worker: clockWorker } = await openDatabaseClock({ db, log, metrics });
  await assertKeysKnown(db, config.SECRET_ENCRYPTION_KEYS);
  const messaging = await openMessaging({ ...brokerOf(config), service, db, log, metrics });
  const lookup = serviceClient({
    issuer: service,
    audience: 'dashboard-api',
    secret: config.PEER_SECRET_DASHBOARD_API,
    baseUrl: config.DASHBOARD_API_URL,
  });
  const directory = openDirectory({ db, messaging, service, kinds: ['merchant', 'api_key'], lookup, log, now });
  const { app, internalApp, workers, client } = createService({
    config,
    db,
    messaging,
    directory,
    log,
    metrics,
    now,
    random: Math.random,
    newId,
  });
  return {
    workers: [clockWorker, ...workers, httpServer({ app, host, port: config.PORT, log, idleGraceMs })],
    close: [db, messaging, lookup, client],
    internalApp,
    checks: { database: () => db.ping(), ...messaging.checks },
  };
});
