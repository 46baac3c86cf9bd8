import { openDirectory } from '@pay/directory';
import { httpServer, serviceClient } from '@pay/http';
import { openMessaging } from '@pay/messaging';
import { openDatabase, openDatabaseClock } from '@pay/persistence';
import { brokerOf, newId, startService } from '@pay/runtime';
import { smsIngestConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';
import { followDisabledDevices } from './devices/follow-disabled-devices';
import { openSmsSecrets } from './intake/open-sms-secrets';

const service = 'sms-ingest';

startService(service, smsIngestConfig, process.env, async ({ config, log, metrics }) => {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, HOST: host, IDLE_CONNECTION_GRACE_MS: idleGraceMs } = config;
  const access = { url, applicationName: service, log, migrations };
  const db = await openDatabase({ ...access, poolSize: Math.max(1, poolSize - 1), metrics });
  const intakeDb = await openDatabase({ ...access, poolSize: 1 });
  const { now, worker: clockWorker } = await openDatabaseClock({ db, log, metrics });
  const secrets = await openSmsSecrets(db, config.SMS_ENCRYPTION_KEYS, now());
  const messaging = await openMessaging({ ...brokerOf(config), service, db, log, metrics });
  const dashboardApi = serviceClient({
    issuer: service,
    audience: 'dashboard-api',
    secret: config.PEER_SECRET_DASHBOARD_API,
    baseUrl: config.DASHBOARD_API_URL,
  });
  const directory = openDirectory({
    db,
    messaging,
    service,
    lookup: dashboardApi,
    onChange: followDisabledDevices,
    log,
    now,
    kinds: ['merchant', 'receiver_account', 'device'],
  });
  const { app, internalApp, workers } = createService({
    config,
    db,
    intakeDb,
    messaging,
    directory,
    dashboardApi,
    secrets,
    log,
    metrics,
    now,
    newId,
  });
  return {
    workers: [clockWorker, ...workers, httpServer({ app, host, port: config.PORT, log, idleGraceMs })],
    close: [db, intakeDb, messaging, dashboardApi],
    internalApp,
    checks: { database: () => db.ping(), ...messaging.checks },
  };
});
