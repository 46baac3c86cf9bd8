import { groupCommit, readTogether } from '@pay/persistence';
import { knownNames, openRateLimits } from '@pay/rate-limits';
import { ageInSeconds, databaseGauges, onceAtATime, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import { askIntent, askMethod } from './adapters/intent-api-client';
import { askExpiry, requestDecision } from './adapters/reconciler-client';
import { activityRecorder } from './activity/record-activity';
import { createApp, createInternalApp } from './app';
import { changeNotifications } from './intent-copies/change-notifications';
import { checkoutMetrics } from './checkouts/checkout-metrics';
import { undecidedClaims, type Claim } from './claims/claim-repository';
import { holdIntake } from './claims/hold-intake';
import { openWaitingClaims } from './claims/waiting-claims';
import { findCheckouts } from './intent-copies/intent-copy-repository';
import { describeCheckout } from './checkouts/describe-checkout';
import type { IntentCopy } from './domain/intent-copy';
import { checkoutFinder } from './checkouts/find-checkout';
import { receiversOnlineFinder } from './devices/find-receivers-online';
import { intentWatch } from './intent-copies/intent-watch';
import { limitCheckout } from './checkouts/limit-checkout';
import { openStreams } from './live-status/open-streams';
import { storeAndAnnounce } from './intent-copies/project-intents';
import { createStreamLimits } from './live-status/stream-limits';
import { submitClaims } from './claims/submit-claims';
import type { ServiceDeps } from './service-deps';
import { createWorkers } from './worker';

/** Milliseconds. */
const STREAM_TIMINGS = { heartbeat: 15_000, poll: 10_000, sweep: 1_000 };

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(deps: ServiceDeps): { app: Express; internalApp: Express; workers: Worker[] } {
  const { config, db, messaging, directory, log, now, newId } = deps;
  const metrics = checkoutMetrics(deps.metrics);
  const gauge = databaseGauges(deps.metrics, log);
  gauge('claims_undecided_oldest_seconds', async () =>
    (await undecidedClaims(db)).map((each) => ({ ...each, value: ageInSeconds(each.oldest, now()) })),
  );
  const replica = newId();
  const notifications = changeNotifications({ broadcast: messaging.broadcast, replica });
  const read = readTogether({ read: (ids) => findCheckouts(db, ids), idOf: ({ copy }) => copy.intent.id });
  const watch = intentWatch(async (id) => (await read(id))?.copy);
  const store = (copy: IntentCopy) =>
    db.transaction((tx) => {
      storeAndAnnounce({ watch, notifications, messaging }, tx, [copy]);
      return Promise.resolve();
    });
  const find = checkoutFinder({
    find: read,
    async ask(id) {
      const copy = await askIntent(deps.intentApi, id);
      metrics.fetched.inc({ result: copy ? 'found' : 'unknown' });
      return copy;
    },
    store,
    now,
  });
  const describing = { directory, findReceiversOnline: receiversOnlineFinder({ db, directory, now }), now };
  const submit = groupCommit<Claim, Claim>({
    db,
    name: 'submit-claims',
    // Claims in memory delay expiry, so one hanging commit must not block all others.
    parallelCommits: 4,
    run: (tx, claims) => submitClaims({ messaging, notifications }, tx, claims),
  });
  const expire = onceAtATime(
    (copy: Parameters<typeof askExpiry>[1]) => askExpiry({ client: deps.reconcilerForViews, log }, copy),
    (copy) => copy.intent.id,
  );
  const decide = (request: Parameters<typeof requestDecision>[1]) =>
    requestDecision({ client: deps.reconciler, log }, request);

  const clock = () => performance.now();
  const waiting = openWaitingClaims(clock);
  const activity = activityRecorder({ db, log, now, clock });
  const streams = openStreams({
    look: async (id) => describeCheckout(describing, await find(id)),
    timings: { ...STREAM_TIMINGS, longest: config.STREAM_SECONDS * 1_000 },
    log,
    metrics,
    clock,
    random: Math.random,
  });
  notifications.onChange((ids) => streams.refresh(ids));
  const limits = openRateLimits({ db, replica, log, metrics: deps.metrics, clock });
  const knownIntents = knownNames(clock);
  const findCheckout = async (id: string) => {
    const found = await find(id);
    knownIntents.note(found.copy.intent.id);
    return found;
  };
  const guard = limitCheckout(limits, config, {
    has: (id) => knownIntents.has(id),
    async find(id) {
      const isStored = (await read(id)) !== undefined;
      if (isStored) knownIntents.note(id);
      return isStored;
    },
  });
  const kernel = { log, metrics: deps.metrics, trustedProxyCidrs: config.TRUSTED_PROXY_CIDRS };
  return {
    app: createApp(kernel, {
      guard,
      findCheckout,
      store,
      submit,
      waiting,
      requestDecision: decide,
      expire,
      watch,
      record: activity.record,
      log,
      metrics,
      newId,
      streams,
      ...describing,
      choose: (id, paymentMethod) => askMethod(deps.intentApi, id, paymentMethod),
      streamLimits: createStreamLimits(config),
    }),
    internalApp: createInternalApp(kernel, {
      db,
      peerSecrets: { reconciler: config.PEER_SECRET_RECONCILER, 'dashboard-api': config.PEER_SECRET_DASHBOARD_API },
    }),
    workers: [
      ...createWorkers({
        db,
        messaging,
        directory,
        watch,
        notifications,
        log,
        now,
        retention: { claimDays: config.CLAIM_RETENTION_DAYS, copyDays: config.INTENT_COPY_RETENTION_DAYS },
      }),
      streams.worker,
      limits.worker(),
      activity.worker,
      holdIntake({ db: deps.intakeDb, waiting, log }),
    ],
  };
}
