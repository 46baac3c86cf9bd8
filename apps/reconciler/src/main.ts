import { openDirectory } from '@pay/directory';
import { serviceClient, type PeerSecret } from '@pay/http';
import { openMessaging } from '@pay/messaging';
import { openDatabase, openDatabaseClock } from '@pay/persistence';
import { brokerOf, newId, startService } from '@pay/runtime';
import { reconcilerConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';
import { noteSwitchOffs } from './expiry/note-switch-offs';
import type { PeerName } from './service-deps';

const service = 'reconciler';

startService(service, reconcilerConfig, process.env, async ({ config, log, metrics }) => {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize } = config;
  const db = await openDatabase({ url, poolSize, applicationName: service, log, metrics, migrations });
  const { now, worker: clockWorker } = await openDatabaseClock({ db, log, metrics });
  const messaging = await openMessaging({ ...brokerOf(config), service, db, log, metrics });
  const kinds = ['merchant', 'receiver_account'] as const;
  const directory = openDirectory({ db, messaging, service, kinds, onChange: noteSwitchOffs, log, now });
  const peer = (audience: PeerName, baseUrl: string, secret: PeerSecret) =>
    serviceClient({ issuer: service, audience, baseUrl, secret });
  const peers = {
    'intent-api': peer('intent-api', config.INTENT_API_URL, config.PEER_SECRET_INTENT_API),
    'sms-ingest': peer('sms-ingest', config.SMS_INGEST_URL, config.PEER_SECRET_SMS_INGEST),
    'checkout-api': peer('checkout-api', config.CHECKOUT_API_URL, config.PEER_SECRET_CHECKOUT_API),
    'dashboard-api': peer('dashboard-api', config.DASHBOARD_API_URL, config.PEER_SECRET_DASHBOARD_API),
  };
  const { internalApp, workers } = createService({
    config,
    db,
    messaging,
    directory,
    peers,
    log,
    metrics,
    now,
    newId,
    // Small batches at a limited rate, so that payments wait only briefly for the locks of an expiry.
    expiryPace: { expiryIntervalMs: 1_000, expiryBatch: 250, expiriesPerSecond: 1_250 },
  });
  return {
    workers: [clockWorker, ...workers],
    close: [db, messaging, ...Object.values(peers)],
    internalApp,
    checks: { database: () => db.ping(), ...messaging.checks },
  };
});
