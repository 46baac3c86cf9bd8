import { randomBytes } from 'node:crypto';
import { daysBefore } from '@pay/persistence';
import { limitMerchantApi, openRateLimits } from '@pay/rate-limits';
import { createSecretBox, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import { createAddressGuard } from './adapters/address-guard';
import { createResolveHost } from './adapters/resolve-host';
import { createWebhookClient, type WebhookClient } from './adapters/webhook-client';
import { createApp, createInternalApp } from './app';
import { createDeliverer } from './delivery/deliver-due';
import { dispatcherMetrics, watchQueues } from './delivery/dispatcher-metrics';
import { attemptRecorder } from './delivery/record-attempts';
import type { WebhookDeps } from './internal/webhook-routes';
import { createRecoveries } from './recovery/run-recoveries';
import type { ShopRequestDeps } from './sandbox/send-shop-request';
import type { ServiceDeps } from './service-deps';
import { createWorkers } from './worker';

/**
 * Part of the slots reserved for first attempts to healthy endpoints, so that retries and hanging endpoints do not
 * delay new events. Rounded down, because retries need a slot too.
 */
const RESERVED_FOR_FIRST = 0.25;

const CHALLENGE_BYTES = 24;
/** Limit of test case requests per merchant and host. A hundred concurrent runs send a few each. */
const SHOP_REQUESTS_PER_MINUTE = 3_000;
/** Messages contain the id of an endpoint whose URL, secret or state has changed. */
const ENDPOINT_CHANGED = 'endpoint-changed';

/**
 * Composes the service from the resources that main.ts has opened. Opens nothing itself except sockets to merchants.
 */
export function createService(deps: ServiceDeps): {
  app: Express;
  internalApp: Express;
  workers: Worker[];
  client: WebhookClient;
  /** For tests. */
  shopRequests: ShopRequestDeps;
  webhooks: WebhookDeps;
} {
  const { config, db, messaging, directory, log, now, random, newId } = deps;
  const { WEBHOOK_TIME_SCALE: timeScale, WEBHOOK_VERIFIED_ENVIRONMENTS: verifiedEnvironments } = config;
  // A new id per run of the process, because leases of earlier runs are not its own.
  const workerId = newId();
  const clock = () => performance.now();
  const guard = deps.network?.guard ?? createAddressGuard(config.WEBHOOK_SANDBOX_ALLOWED_CIDRS);
  const secrets = createSecretBox(config.SECRET_ENCRYPTION_KEYS, 'signing-secret');
  const client = deps.network?.client ?? createWebhookClient({ guard, resolveHost: createResolveHost() });
  const rateLimits = openRateLimits({ db, replica: workerId, log, metrics: deps.metrics, clock });
  const perMinute = (name: string, count: number) => rateLimits.limiter({ name, count, seconds: 60 });
  const pollMs = config.WEBHOOK_POLL_MS;
  const deliverer = createDeliverer({
    db,
    workerId,
    verifiedEnvironments,
    client,
    secrets,
    timeScale,
    log,
    now,
    random,
    clock,
    record: attemptRecorder({ db, workerId, timeScale, newId }),
    metrics: dispatcherMetrics(deps.metrics),
    unverifiedHosts: perMinute('webhook_unverified_host', config.WEBHOOK_UNVERIFIED_PER_MINUTE),
    settings: {
      slots: config.WEBHOOK_SLOTS,
      slotsPerEndpoint: config.WEBHOOK_SLOTS_PER_ENDPOINT,
      slotsForFirst: Math.floor(config.WEBHOOK_SLOTS * RESERVED_FOR_FIRST),
      pollMs,
    },
  });
  const { poke } = deliverer;
  const recoveries = createRecoveries({ db, log, pollMs, poke });
  // A broadcast may be lost. Another replica then sends leased deliveries with the old values for up to 20 seconds.
  messaging.broadcast.on(ENDPOINT_CHANGED, deliverer.recall);
  const endpointChanged = (id: string) => {
    deliverer.recall(id);
    messaging.broadcast.send(ENDPOINT_CHANGED, id);
  };
  const limits = limitMerchantApi(rateLimits, config, clock);
  watchQueues(deps, () => deliverer.queues.inFlight);
  const webhooks: WebhookDeps = {
    db,
    guard,
    client,
    secrets,
    verifiedEnvironments,
    newId,
    now,
    log,
    poke,
    endpointChanged,
    maxEndpoints: config.WEBHOOK_MAX_ENDPOINTS,
    newChallenge: () => randomBytes(CHALLENGE_BYTES).toString('base64url'),
    wakeRecoveries: recoveries.wake,
    verifications: perMinute('webhook_verification', config.WEBHOOK_VERIFICATIONS_PER_MINUTE),
  };
  const shopRequests: ShopRequestDeps = {
    db,
    client,
    secrets,
    newId,
    now,
    shopRequests: perMinute('webhook_shop_request', SHOP_REQUESTS_PER_MINUTE),
    newSecret: () => randomBytes(CHALLENGE_BYTES).toString('base64url'),
  };
  return {
    app: createApp({
      ...webhooks,
      directory,
      limits,
      metrics: deps.metrics,
      trustedProxyCidrs: config.TRUSTED_PROXY_CIDRS,
    }),
    internalApp: createInternalApp(
      { log, metrics: deps.metrics },
      {
        ...shopRequests,
        db,
        webhooks,
        poke,
        peerSecrets: { 'dashboard-api': config.PEER_SECRET_DASHBOARD_API },
        // One day less than the retention period, because a sweep may be running.
        keptSince: () => daysBefore(now(), config.WEBHOOK_EVENT_DAYS - 1),
        deliveriesKeptSince: () => daysBefore(now(), config.WEBHOOK_DELIVERY_DAYS - 1),
      },
    ),
    workers: [
      ...createWorkers({
        db,
        messaging,
        directory,
        deliverer,
        recoveries,
        workerId,
        verifiedEnvironments,
        clock,
        now,
        log,
        timeScale,
        deliveryDays: config.WEBHOOK_DELIVERY_DAYS,
        eventDays: config.WEBHOOK_EVENT_DAYS,
      }),
      rateLimits.worker(),
    ],
    client,
    shopRequests,
    webhooks,
  };
}
