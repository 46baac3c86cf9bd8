import type { PeerSecret } from '@pay/http';
import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import { daysBefore, groupCommit, readTogether, type Database } from '@pay/persistence';
import { limitMerchantApi, openRateLimits, type MerchantApiLimitValues } from '@pay/rate-limits';
import { randomBelow, type Logger, type Metrics, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import { createApp, createInternalApp } from './app';
import type { DeleteOldRecordsDeps } from './retention/delete-old-records';
import { findIntents } from './intents/intent-repository';
import { intentMetrics } from './intents/intent-metrics';
import { receiverRotation } from './receivers/receiver-rotation';
import { receiverState } from './receivers/receiver-state';
import { storeIntents, type NewIntent, type StoreOutcome } from './intents/store-intents';
import { createWorkers } from './worker';

export interface ServiceParts {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  /** Public address of the hosted checkout, without a trailing slash. */
  readonly checkoutUrl: string;
  readonly peerSecrets: {
    readonly 'checkout-api': PeerSecret;
    readonly reconciler: PeerSecret;
    readonly 'dashboard-api': PeerSecret;
  };
  readonly limits: MerchantApiLimitValues;
  readonly retention: DeleteOldRecordsDeps['retention'];
  readonly trustedProxyCidrs: readonly string[];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(parts: ServiceParts): { app: Express; internalApp: Express; workers: Worker[] } {
  const { db, messaging, directory, checkoutUrl, log, now, newId } = parts;
  const metrics = intentMetrics(parts.metrics);
  const store = groupCommit<NewIntent, StoreOutcome>({
    db,
    name: 'create-intents',
    run: (tx, intents) => storeIntents({ messaging }, tx, intents),
  });
  const readIntent = readTogether({ read: (ids) => findIntents(db, ids), idOf: ({ intent }) => intent.id });
  const clock = () => performance.now();
  const rateLimits = openRateLimits({ db, replica: newId(), log, metrics: parts.metrics, clock });
  const limits = limitMerchantApi(rateLimits, parts.limits, clock);
  const kernel = { log, metrics: parts.metrics, trustedProxyCidrs: parts.trustedProxyCidrs };
  // Creation and choice share one rotation, so that the receivers of both are used in turn.
  const receivers = { chooseReceiver: receiverRotation(), receiverStateOf: receiverState({ db, directory, now }) };
  return {
    app: createApp(kernel, {
      db,
      directory,
      checkoutUrl,
      store,
      readIntent,
      limits,
      log,
      metrics,
      now,
      newId,
      ...receivers,
      pick: randomBelow,
    }),
    internalApp: createInternalApp(kernel, {
      keptSince: () => daysBefore(now(), parts.retention.recordDays),
      db,
      messaging,
      directory,
      log,
      now,
      ...receivers,
      peerSecrets: parts.peerSecrets,
    }),
    workers: [
      ...createWorkers({ db, messaging, directory, log, metrics, now, retention: parts.retention }),
      rateLimits.worker(),
    ],
  };
}
