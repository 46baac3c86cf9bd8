import { openDirectory } from '@pay/directory';
import { httpServer, serviceClient } from '@pay/http';
import { openMessaging } from '@pay/messaging';
import { openDatabase, openDatabaseClock } from '@pay/persistence';
import { brokerOf, newId, startService } from '@pay/runtime';
import { intentApiConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';

const service = 'intent-api';

startService(service, intentApiConfig, process.env, async ({ config, log, metrics }) => {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, HOST: host, IDLE_CONNECTION_GRACE_MS: idleGraceMs } = config;
  const db = await openDatabase({ url, poolSize, applicationName: service, log, metrics, migrations });
  const { now, worker: clockWorker } = await openDatabaseClock({ db, log, metrics });
  const messaging = await openMessaging({ ...brokerOf(config), service, db, log, metrics });
  const lookup = serviceClient({
    issuer: service,
    audience: 'dashboard-api',
    secret: config.PEER_SECRET_DASHBOARD_API,
    baseUrl: config.DASHBOARD_API_URL,
  });
  const kinds = ['merchant', 'api_key', 'receiver_account', 'device'] as const;
  const directory = openDirectory({ db, messaging, service, kinds, lookup, log, now });
  const { app, internalApp, workers } = createService({
    config,
    db,
    messaging,
    directory,
    log,
    metrics,
    now,
    newId,
  });
  return {
    workers: [clockWorker, ...workers, httpServer({ app, host, port: config.PORT, log, idleGraceMs })],
    close: [db, messaging, lookup],
    internalApp,
    checks: { database: () => db.ping(), ...messaging.checks },
  };
});
