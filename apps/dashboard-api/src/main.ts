import { join } from 'node:path';
import { httpServer } from '@pay/http';
import { openMessaging, outboxOnly } from '@pay/messaging';
import { openDatabase } from '@pay/persistence';
import { brokerOf, newId, startService } from '@pay/runtime';
import { openServiceClients } from './clients/service-clients';
import { dashboardServiceConfig } from './config';
import { createService } from './create-service';
import { readPageFiles } from './dashboard-pages/read-page-files';
import { migrations } from './db/migrations';
import { resendDirectoryToAll } from './directory/resend-directory';
import { openMailTransport } from './mails/mail-transport';
import { assertKeysKnown } from './sign-in/assert-keys-known';

const service = 'dashboard-api';
/** The dashboard is built into the folder beside this bundle. */
const PAGES = join(__dirname, '..', 'dashboard-web');

startService(service, dashboardServiceConfig, process.env, async ({ config, log, metrics }) => {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, HOST: host, IDLE_CONNECTION_GRACE_MS: idleGraceMs } = config;
  const db = await openDatabase({ url, poolSize, applicationName: service, log, metrics, migrations });
  await assertKeysKnown(db, config.TOTP_ENCRYPTION_KEYS);
  const now = () => new Date();
  const messaging = await openMessaging({
    ...brokerOf(config),
    service,
    db,
    log,
    metrics,
    onNewEpoch: (tx) => resendDirectoryToAll({ messaging: outboxOnly(), now, newId }, tx),
  });
  const clients = openServiceClients(config);
  const mailTransport = openMailTransport(config);
  const { app, internalApp, workers } = createService({
    config,
    db,
    messaging,
    clients,
    mailTransport,
    pageFiles: readPageFiles(PAGES),
    log,
    metrics,
    now,
    newId,
  });
  return {
    workers: [...workers, httpServer({ app, host, port: config.PORT, log, idleGraceMs })],
    close: [db, messaging, mailTransport, ...Object.values(clients)],
    internalApp,
    checks: { database: () => db.ping(), ...messaging.checks },
  };
});
