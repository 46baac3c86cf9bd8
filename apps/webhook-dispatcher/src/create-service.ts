import { randomBytes } from 'node:crypto';
import type { Environment } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import { limitMerchantApi, openRateLimits, type MerchantApiLimitValues } from '@pay/rate-limits';
import { createSecretBox, type EncryptionKey, type Logger, type Metrics, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import { createAddressGuard, type AddressGuard } from './adapters/address-guard';
import { createResolveHost } from './adapters/resolve-host';
import { createWebhookClient, type WebhookClient } from './adapters/webhook-client';
import { createApp, type WebhookDeps } from './app';
import { createDeliverer, type DeliverSettings } from './delivery/deliver-due';
import { dispatcherMetrics, watchQueues } from './delivery/dispatcher-metrics';
import { attemptRecorder } from './delivery/record-attempts';
import { createRecoveries } from './recovery/run-recoveries';
import type { ShopRequestDeps } from './sandbox/send-shop-request';
import { createWorkers } from './worker';

/**
 * Share of the slots that is reserved for first attempts to endpoints that do not fail, so that new events wait neither
 * for retries nor for endpoints that do not answer. Rounded down, because retries need a slot too.
 */
const RESERVED_FOR_FIRST = 0.25;

export interface ServiceParts {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly sandboxAllowedCidrs: readonly string[];
  readonly verifiedEnvironments: readonly Environment[];
  readonly timeScale: number;
  readonly keep: { readonly deliveryDays: number; readonly eventDays: number };
  readonly limits: MerchantApiLimitValues;
  readonly endpointLimits: {
    readonly maxEndpoints: number;
    /** Requests to one host for unverified endpoints of all merchants. */
    readonly unverifiedPerMinute: number;
    /** Verifications of one merchant at one host. */
    readonly verificationsPerMinute: number;
  };
  readonly trustedProxyCidrs: readonly string[];
  readonly delivery: Omit<DeliverSettings, 'slotsForFirst'>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly random: () => number;
  readonly newId: () => string;
  /** The network; tests replace it. */
  readonly network?: { readonly guard: AddressGuard; readonly client: WebhookClient };
}

const CHALLENGE_BYTES = 24;
/** Limit of test case requests to one host of a merchant: a hundred concurrent runs send a few each. */
const SHOP_REQUESTS_PER_MINUTE = 3_000;
/** Topic of broadcasts: the id of an endpoint whose URL, secret or state has changed. */
const ENDPOINT_CHANGED = 'endpoint-changed';

/**
 * Composes the service from the resources that main.ts has opened. Opens nothing itself except sockets to merchants.
 */
export function createService(parts: ServiceParts): {
  app: Express;
  workers: Worker[];
  client: WebhookClient;
  /** For the internal routes of test cases. */
  shopRequests: Omit<ShopRequestDeps, 'db'>;
  /** For the internal routes of the dashboard. */
  webhooks: WebhookDeps;
  /** Wakes the poll loop because a delivery is due. */
  poke: () => void;
} {
  const { db, messaging, directory, timeScale, verifiedEnvironments, log, now, random, newId } = parts;
  // Identifies this run of the process; leases of earlier runs are not its own.
  const workerId = newId();
  const clock = () => performance.now();
  const guard = parts.network?.guard ?? createAddressGuard(parts.sandboxAllowedCidrs);
  const secrets = createSecretBox(parts.encryptionKeys, 'signing-secret');
  const client = parts.network?.client ?? createWebhookClient({ guard, resolveHost: createResolveHost() });
  const { maxEndpoints, unverifiedPerMinute, verificationsPerMinute } = parts.endpointLimits;
  const rateLimits = openRateLimits({ db, replica: workerId, log, metrics: parts.metrics, clock });
  const perMinute = (name: string, count: number) => rateLimits.limiter({ name, count, seconds: 60 });
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
    metrics: dispatcherMetrics(parts.metrics),
    unverifiedHosts: perMinute('webhook_unverified_host', unverifiedPerMinute),
    settings: { ...parts.delivery, slotsForFirst: Math.floor(parts.delivery.slots * RESERVED_FOR_FIRST) },
  });
  const { pollMs } = parts.delivery;
  const { poke } = deliverer;
  const recoveries = createRecoveries({ db, log, pollMs, poke });
  // Best effort between replicas: without the broker, another replica sends leased deliveries with the old values for
  // up to 20 seconds.
  messaging.broadcast.on(ENDPOINT_CHANGED, deliverer.recall);
  const endpointChanged = (id: string) => {
    deliverer.recall(id);
    messaging.broadcast.send(ENDPOINT_CHANGED, id);
  };
  const limits = limitMerchantApi(rateLimits, parts.limits, clock);
  watchQueues(parts.metrics, db, () => deliverer.queues.inFlight);
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
    maxEndpoints,
    newChallenge: () => randomBytes(CHALLENGE_BYTES).toString('base64url'),
    wakeRecoveries: recoveries.wake,
    verifications: perMinute('webhook_verification', verificationsPerMinute),
  };
  const { metrics, trustedProxyCidrs } = parts;
  return {
    app: createApp({ ...webhooks, directory, limits, metrics, trustedProxyCidrs }),
    webhooks,
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
        ...parts.keep,
      }),
      rateLimits.worker(),
    ],
    client,
    shopRequests: {
      client,
      secrets,
      newId,
      now,
      shopRequests: perMinute('webhook_shop_request', SHOP_REQUESTS_PER_MINUTE),
      newSecret: () => randomBytes(CHALLENGE_BYTES).toString('base64url'),
    },
    poke,
  };
}
