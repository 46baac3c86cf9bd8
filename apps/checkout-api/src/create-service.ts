import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import { groupCommit, type Database } from '@pay/persistence';
import { openRateLimits } from '@pay/rate-limits';
import type { Logger, Metrics, Worker } from '@pay/runtime';
import type { Express } from 'express';
import { askIntent } from './adapters/intent-api-client';
import type { Neighbours } from './adapters/neighbours';
import { askExpiry, askJudgement } from './adapters/reconciler-client';
import { createApp, createInternalApp } from './app';
import { checkoutMetrics } from './checkout-metrics';
import type { Claim } from './db/claims';
import { findCheckout } from './db/intent-copies';
import { checkoutFinder } from './find-checkout';
import { receiversOnlineFinder } from './find-receivers-online';
import { intentWatch } from './intent-watch';
import { limitCheckout, type CheckoutLimitValues } from './limit-checkout';
import { onceAtATime } from './once-at-a-time';
import { storeAndAnnounce } from './project-intents';
import { submitClaims } from './submit-claims';
import { createWorkers } from './worker';

export interface ServiceParts extends Neighbours {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly peerSecrets: { readonly reconciler: string };
  readonly limits: CheckoutLimitValues;
  readonly trustedProxyCidrs: readonly string[];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Puts the service together from what main.ts has opened. Opens nothing itself. */
export function createService(parts: ServiceParts): { app: Express; internalApp: Express; workers: Worker[] } {
  const { db, messaging, directory, log, now, newId } = parts;
  const metrics = checkoutMetrics(parts.metrics);
  const watch = intentWatch(async (id) => (await findCheckout(db, id))?.copy);
  const find = checkoutFinder({
    find: (id) => findCheckout(db, id),
    async ask(id) {
      const copy = await askIntent(parts.intentApi, id);
      metrics.fetched.inc({ result: copy ? 'found' : 'unknown' });
      return copy;
    },
    store: (copy) =>
      db.transaction((tx) => {
        storeAndAnnounce({ watch }, tx, [copy]);
        return Promise.resolve();
      }),
    now,
  });
  const submit = groupCommit<Claim, Claim>({
    db,
    name: 'submit-claims',
    run: (tx, claims) => submitClaims({ messaging }, tx, claims),
  });
  const expire = onceAtATime(
    (copy: Parameters<typeof askExpiry>[1]) => copy.intent.id,
    (copy) => askExpiry({ client: parts.reconcilerForViews, log }, copy),
  );
  const judge = (request: Parameters<typeof askJudgement>[1]) =>
    askJudgement({ client: parts.reconciler, log }, request);

  const clock = () => performance.now();
  const limits = openRateLimits({ db, replica: newId(), log, metrics: parts.metrics, clock });
  const guard = limitCheckout(limits, parts.limits);
  const kernel = { log, metrics: parts.metrics, trustedProxyCidrs: parts.trustedProxyCidrs };
  return {
    app: createApp(kernel, {
      guard,
      findCheckout: find,
      findReceiversOnline: receiversOnlineFinder({ db, directory, now }),
      submit,
      judge,
      expire,
      watch,
      directory,
      log,
      metrics,
      now,
      newId,
    }),
    internalApp: createInternalApp(kernel, { db, peerSecrets: parts.peerSecrets }),
    workers: [...createWorkers({ messaging, directory, watch, now }), limits.worker()],
  };
}
