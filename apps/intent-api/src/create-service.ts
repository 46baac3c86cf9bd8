import { randomInt } from 'node:crypto';
import { daysBefore, groupCommit, readTogether } from '@pay/persistence';
import { limitMerchantApi, openRateLimits } from '@pay/rate-limits';
import type { Worker } from '@pay/runtime';
import type { Express } from 'express';
import { createApp, createInternalApp } from './app';
import { findIntents } from './intents/intent-repository';
import { intentMetrics } from './intents/intent-metrics';
import { receiverRotation } from './receivers/receiver-rotation';
import { receiverState } from './receivers/receiver-state';
import { storeIntents, type NewIntent, type StoreOutcome } from './intents/store-intents';
import type { ServiceDeps } from './service-deps';
import { createWorkers } from './worker';

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(deps: ServiceDeps): { app: Express; internalApp: Express; workers: Worker[] } {
  const { config, db, messaging, directory, log, now, newId } = deps;
  const metrics = intentMetrics(deps.metrics);
  const store = groupCommit<NewIntent, StoreOutcome>({
    db,
    name: 'create-intents',
    run: (tx, intents) => storeIntents({ messaging }, tx, intents),
  });
  const readIntent = readTogether({ read: (ids) => findIntents(db, ids), idOf: ({ intent }) => intent.id });
  const clock = () => performance.now();
  const rateLimits = openRateLimits({ db, replica: newId(), log, metrics: deps.metrics, clock });
  const limits = limitMerchantApi(rateLimits, config, clock);
  const kernel = { log, metrics: deps.metrics, trustedProxyCidrs: config.TRUSTED_PROXY_CIDRS };
  // Creation and choice share one rotation, so that both use the receivers in turn.
  const receivers = { chooseReceiver: receiverRotation(), receiverStateOf: receiverState({ db, directory, now }) };
  return {
    app: createApp(kernel, {
      db,
      directory,
      checkoutUrl: config.CHECKOUT_URL,
      store,
      readIntent,
      limits,
      log,
      metrics,
      now,
      newId,
      ...receivers,
      pick: randomInt,
    }),
    internalApp: createInternalApp(kernel, {
      keptSince: () => daysBefore(now(), config.RECORD_RETENTION_DAYS),
      db,
      messaging,
      directory,
      log,
      now,
      ...receivers,
      peerSecrets: {
        'checkout-api': config.PEER_SECRET_CHECKOUT_API,
        reconciler: config.PEER_SECRET_RECONCILER,
        'dashboard-api': config.PEER_SECRET_DASHBOARD_API,
      },
    }),
    workers: [
      ...createWorkers({
        db,
        messaging,
        directory,
        log,
        metrics,
        now,
        retention: { recordDays: config.RECORD_RETENTION_DAYS },
      }),
      rateLimits.worker(),
    ],
  };
}
