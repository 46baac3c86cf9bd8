import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import { groupCommit, readTogether, type Database } from '@pay/persistence';
import { knownNames, openRateLimits } from '@pay/rate-limits';
import { ageOfOldest, onceAtATime, type Logger, type Metrics, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import { askIntent, askMethod } from './adapters/intent-api-client';
import type { ServiceClients } from './adapters/service-clients';
import { askExpiry, requestDecision } from './adapters/reconciler-client';
import { activityRecorder } from './activity/record-activity';
import { createApp, createInternalApp, type PeerSecrets } from './app';
import { changeNotifications } from './live-status/change-notifications';
import { checkoutMetrics } from './checkouts/checkout-metrics';
import { undecidedClaims, type Claim } from './claims/claim-repository';
import { holdIntake } from './claims/hold-intake';
import { openWaitingClaims } from './claims/waiting-claims';
import { findCheckouts } from './intent-copies/intent-copy-repository';
import type { DeleteOldRecordsDeps } from './retention/delete-old-records';
import { describeCheckout } from './checkouts/describe-checkout';
import type { IntentCopy } from './domain/intent-copy';
import { checkoutFinder } from './checkouts/find-checkout';
import { receiversOnlineFinder } from './devices/find-receivers-online';
import { intentWatch } from './live-status/intent-watch';
import { limitCheckout, type CheckoutLimitValues } from './checkouts/limit-checkout';
import { openStreams } from './live-status/open-streams';
import { storeAndAnnounce } from './intent-copies/project-intents';
import { streamSeats, type StreamLimitValues } from './live-status/stream-seats';
import { submitClaims } from './claims/submit-claims';
import { createWorkers } from './worker';

/** In milliseconds. */
const STREAM_TIMINGS = { heartbeat: 15_000, poll: 10_000, sweep: 1_000 };

export interface ServiceParts extends ServiceClients {
  readonly db: Database;
  /** One connection for claims that wait in memory, because the connections of `db` may all be occupied. */
  readonly intakeDb: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly peerSecrets: PeerSecrets;
  readonly limits: CheckoutLimitValues & StreamLimitValues & { readonly STREAM_SECONDS: number };
  readonly retention: DeleteOldRecordsDeps['retention'];
  readonly trustedProxyCidrs: readonly string[];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(parts: ServiceParts): { app: Express; internalApp: Express; workers: Worker[] } {
  const { db, messaging, directory, log, now, newId } = parts;
  const metrics = checkoutMetrics(parts.metrics);
  parts.metrics.gauge(
    'claims_undecided_oldest_seconds',
    ageOfOldest(() => undecidedClaims(db), now),
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
      const copy = await askIntent(parts.intentApi, id);
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
    // Claims in memory delay expiry, so they do not wait for a single commit that hangs.
    parallelCommits: 4,
    run: (tx, claims) => submitClaims({ messaging, notifications }, tx, claims),
  });
  const expire = onceAtATime(
    (copy: Parameters<typeof askExpiry>[1]) => copy.intent.id,
    (copy) => askExpiry({ client: parts.reconcilerForViews, log }, copy),
  );
  const decide = (request: Parameters<typeof requestDecision>[1]) =>
    requestDecision({ client: parts.reconciler, log }, request);

  const clock = () => performance.now();
  const waiting = openWaitingClaims(clock);
  const activity = activityRecorder({ db, log, now, clock });
  const streams = openStreams({
    look: async (id) => describeCheckout(describing, await find(id)),
    timings: { ...STREAM_TIMINGS, longest: parts.limits.STREAM_SECONDS * 1_000 },
    log,
    metrics,
    clock,
    random: Math.random,
  });
  notifications.onChange((ids) => streams.refresh(ids));
  const limits = openRateLimits({ db, replica, log, metrics: parts.metrics, clock });
  const knownIntents = knownNames(clock);
  const findCheckout = async (id: string) => {
    const found = await find(id);
    knownIntents.note(found.copy.intent.id);
    return found;
  };
  const guard = limitCheckout(limits, parts.limits, {
    has: (id) => knownIntents.has(id),
    async find(id) {
      const isStored = (await read(id)) !== undefined;
      if (isStored) knownIntents.note(id);
      return isStored;
    },
  });
  const kernel = { log, metrics: parts.metrics, trustedProxyCidrs: parts.trustedProxyCidrs };
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
      choose: (id, paymentMethod) => askMethod(parts.intentApi, id, paymentMethod),
      seats: streamSeats(parts.limits),
    }),
    internalApp: createInternalApp(kernel, { db, peerSecrets: parts.peerSecrets }),
    workers: [
      ...createWorkers({
        db,
        messaging,
        directory,
        watch,
        notifications,
        log,
        now,
        retention: parts.retention,
      }),
      streams.worker,
      limits.worker(),
      activity.worker,
      holdIntake({ db: parts.intakeDb, waiting, log }),
    ],
  };
}
