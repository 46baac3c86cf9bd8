import { openDirectory } from '@pay/directory';
import { httpServer } from '@pay/http';
import { openMessaging } from '@pay/messaging';
import { openDatabase, openDatabaseClock } from '@pay/persistence';
import { brokerOf, newId, startService } from '@pay/runtime';
import { openServiceClients } from './adapters/service-clients';
import { checkoutApiConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';

const service = 'checkout-api';

startService(service, checkoutApiConfig, process.env, async ({ config, log, metrics }) => {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, HOST: host, IDLE_CONNECTION_GRACE_MS: idleGraceMs } = config;
  const access = { url, applicationName: service, log, migrations };
  const db = await openDatabase({ ...access, poolSize: Math.max(1, poolSize - 1), metrics });
  const intakeDb = await openDatabase({ ...access, poolSize: 1 });
  const { now, worker: clockWorker } = await openDatabaseClock({ db, log, metrics });
  const messaging = await openMessaging({ ...brokerOf(config), service, db, log, metrics });
  const directory = openDirectory({
    db,
    messaging,
    service,
    kinds: ['merchant', 'receiver_account', 'device'],
    log,
    now,
  });
  const clients = openServiceClients(config);
  const { app, internalApp, workers } = createService({
    ...clients,
    config,
    db,
    intakeDb,
    messaging,
    directory,
    log,
    metrics,
    now,
    newId,
  });
  return {
    workers: [clockWorker, ...workers, httpServer({ app, host, port: config.PORT, log, idleGraceMs })],
    close: [db, intakeDb, messaging, clients.intentApi, clients.reconciler, clients.reconcilerForViews],
    internalApp,
    checks: { database: () => db.ping(), ...messaging.checks },
  };
});
