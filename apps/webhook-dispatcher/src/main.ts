import { openDirectory } from '@pay/directory';
import { httpServer, serviceClient } from '@pay/http';
import { openMessaging } from '@pay/messaging';
import { daysBefore, openDatabase } from '@pay/persistence';
import { brokerOf, newId, startService } from '@pay/runtime';
import { createInternalApp } from './app';
import { assertKeysKnown } from './endpoints/assert-keys-known';
import { webhookDispatcherConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';

const service = 'webhook-dispatcher';

startService(service, webhookDispatcherConfig, process.env, async ({ config, log, metrics }) => {
  const { DATABASE_URL, DATABASE_POOL_SIZE: poolSize, HOST: host, IDLE_CONNECTION_GRACE_MS: idleGraceMs } = config;
  const now = () => new Date();
  const access = { url: DATABASE_URL, poolSize, applicationName: service };
  const db = await openDatabase({ ...access, log, metrics, migrations });
  await assertKeysKnown(db, config.SECRET_ENCRYPTION_KEYS);
  const messaging = await openMessaging({ ...brokerOf(config), service, db, log, metrics });
  const lookup = serviceClient({
    issuer: service,
    audience: 'dashboard-api',
    secret: config.PEER_SECRET_DASHBOARD_API,
    baseUrl: config.DASHBOARD_API_URL,
  });
  const directory = openDirectory({ db, messaging, service, kinds: ['merchant', 'api_key'], lookup, log, now });
  const { app, workers, client, shopRequests, webhooks, poke } = createService({
    db,
    messaging,
    directory,
    log,
    metrics,
    now,
    random: Math.random,
    newId,
    encryptionKeys: config.SECRET_ENCRYPTION_KEYS,
    sandboxAllowedCidrs: config.WEBHOOK_SANDBOX_ALLOWED_CIDRS,
    verifiedEnvironments: config.WEBHOOK_VERIFIED_ENVIRONMENTS,
    timeScale: config.WEBHOOK_TIME_SCALE,
    keep: { deliveryDays: config.WEBHOOK_DELIVERY_DAYS, eventDays: config.WEBHOOK_EVENT_DAYS },
    limits: config,
    endpointLimits: {
      maxEndpoints: config.WEBHOOK_MAX_ENDPOINTS,
      unverifiedPerMinute: config.WEBHOOK_UNVERIFIED_PER_MINUTE,
      verificationsPerMinute: config.WEBHOOK_VERIFICATIONS_PER_MINUTE,
    },
    trustedProxyCidrs: config.TRUSTED_PROXY_CIDRS,
    delivery: {
      slots: config.WEBHOOK_SLOTS,
      slotsPerEndpoint: config.WEBHOOK_SLOTS_PER_ENDPOINT,
      pollMs: config.WEBHOOK_POLL_MS,
    },
  });
  const peerSecrets = { 'dashboard-api': config.PEER_SECRET_DASHBOARD_API };
  return {
    workers: [...workers, httpServer({ app, host, port: config.PORT, log, idleGraceMs })],
    close: [db, messaging, lookup, client],
    internalApp: createInternalApp(
      { log, metrics },
      {
        ...shopRequests,
        webhooks,
        db,
        peerSecrets,
        poke,
        // One day less than retention, because it is called during a sweep.
        keptSince: () => daysBefore(now(), config.WEBHOOK_EVENT_DAYS - 1),
        deliveriesKeptSince: () => daysBefore(now(), config.WEBHOOK_DELIVERY_DAYS - 1),
      },
    ),
    checks: { database: () => db.ping(), ...messaging.checks },
  };
});
