import type { SmsAccepted } from '@pay/contracts';
import { groupCommit } from '@pay/persistence';
import { ageInSeconds, createSecretBox, databaseGauges, every, semaphore, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import {
  clientAddress,
  limitDevices,
  limitHooks,
  limitRequests,
  limitUnknownCredentials,
  openRateLimits,
} from '@pay/rate-limits';
import { openAdmission } from './intake/admission';
import { createApp, createInternalApp } from './app';
import { balanceMetrics } from './balances/balance-metrics';
import { balanceWorkers } from './balances/balance-workers';
import { countOpenGaps } from './balances/missing-sms-repository';
import { senderIdsOf, textSettingsOf } from './config';
import type { ArrivedSms } from './domain/arrived-sms';
import { recordRetention } from './retention/delete-old-records';
import { openDevices } from './devices/open-devices';
import { forwarderMetrics } from './intake/forwarder-metrics';
import { smsMetrics } from './intake/sms-metrics';
import { reportWaitingSms } from './intake/report-waiting-sms';
import { storeSms } from './intake/store-sms';
import { undecidedSms } from './intake/sms-event-repository';
import { openWaitingSms } from './intake/waiting-sms';
import { deleteOldTexts } from './texts/delete-old-texts';
import {
  admissionBoundsOf,
  deviceLimitOf,
  hookLimitOf,
  refuseWhileBusy,
  unknownCredentialLimitOf,
} from './intake/limit-intake';
import { formatHookRefusal, UNKNOWN_CREDENTIALS } from './intake/limit-unknown-credentials';
import type { ServiceDeps } from './service-deps';
import { createWorkers } from './worker';

/** Large enough for a phone's backlog to need few transactions, small enough not to delay others. */
const MOST_SMS_PER_TRANSACTION = 100;
const DELETE_TEXTS_INTERVAL_MS = 600_000;

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(deps: ServiceDeps): { app: Express; internalApp: Express; workers: Worker[] } {
  const { config, db, messaging, directory, dashboardApi, readers, secrets, log, now, newId } = deps;
  const senderIds = senderIdsOf(config);
  const metrics = smsMetrics(deps.metrics);
  const gauge = databaseGauges(deps.metrics, log);
  gauge('sms_undecided_oldest_seconds', async () =>
    (await undecidedSms(db)).map((each) => ({ ...each, value: ageInSeconds(each.oldest, now()) })),
  );
  gauge('sms_missing_open', () => countOpenGaps(db, now()));
  const storeTogether = groupCommit<ArrivedSms, SmsAccepted>({
    db,
    name: 'store-sms',
    maxItems: MOST_SMS_PER_TRANSACTION,
    run: (tx, sms) => storeSms({ messaging, secrets, now }, tx, sms),
  });
  const inTurn = semaphore({ mostAtOnce: 2 * MOST_SMS_PER_TRANSACTION });
  const clock = () => performance.now();
  const waiting = openWaitingSms(clock);
  const store = (sms: ArrivedSms) => waiting.untilStored(sms, () => inTurn(() => storeTogether(sms), sms.merchantId));
  const admission = openAdmission(admissionBoundsOf(config), {
    clock,
    noteRefusal: (bound) => metrics.turnedAway.inc({ bound }),
  });
  const devices = openDevices({
    db,
    messaging,
    directory,
    settings: config,
    log,
    metrics: deps.metrics,
    now,
    clock,
  });
  const limits = openRateLimits({ db, replica: newId(), log, metrics: deps.metrics, clock });
  const pairings = { name: 'device_pairing', count: config.RATE_LIMIT_PAIRINGS_PER_MINUTE, seconds: 60 };
  const pairingGuard = limitRequests(limits, limits.limiter(pairings), clientAddress);
  const perDevice = limits.limiter(deviceLimitOf(config));
  const unknownCredentials = limitUnknownCredentials(
    limits,
    limits.limiter(unknownCredentialLimitOf(config)),
    clock,
    UNKNOWN_CREDENTIALS,
  );
  const texts = { db, ...textSettingsOf(config), log, now };
  const kernel = { log, metrics: deps.metrics, trustedProxyCidrs: config.TRUSTED_PROXY_CIDRS };
  return {
    app: createApp(kernel, {
      db,
      directory,
      dashboardApi,
      pairingGuard,
      hookSecrets: createSecretBox(config.FORWARDER_SECRET_KEYS, 'forwarder_hook'),
      forwarderMetrics: forwarderMetrics(deps.metrics),
      now,
      store,
      admit: admission.admit,
      unknownCredentials,
      deviceGuards: [unknownCredentials.accepted, limitDevices(limits, perDevice), refuseWhileBusy(admission)],
      hookGuards: [
        unknownCredentials.accepted,
        limitHooks(limits, limits.limiter(hookLimitOf(config)), formatHookRefusal),
        refuseWhileBusy(admission, formatHookRefusal),
      ],
      ...devices.routeDeps,
      senderIds,
      readers,
      newId,
      log,
      metrics,
    }),
    internalApp: createInternalApp(kernel, {
      db,
      peerSecrets: { reconciler: config.PEER_SECRET_RECONCILER, 'dashboard-api': config.PEER_SECRET_DASHBOARD_API },
      messaging,
      directory,
      secrets,
      senderIds,
      readers,
      metrics,
      log,
      now,
      simulator: {
        db,
        directory,
        senderIds,
        readers,
        store,
        metrics,
        log,
        now,
        newId,
        admit: admission.admit,
        inTurn: semaphore({ mostAtOnce: 1 }),
      },
    }),
    workers: [
      ...createWorkers({ db, messaging, directory, metrics, log, now }),
      reportWaitingSms({ db: deps.intakeDb, waiting, processId: newId(), log }),
      ...devices.workers(),
      ...balanceWorkers({
        db,
        messaging,
        directory,
        metrics: balanceMetrics(deps.metrics),
        log,
        now,
        newId,
        graceMs: config.MISSING_SMS_GRACE_SECONDS * 1_000,
      }),
      limits.worker(),
      every('delete-old-texts', DELETE_TEXTS_INTERVAL_MS, (signal) => deleteOldTexts(texts, signal), { log }),
      recordRetention({ db, log, now, recordRetentionDays: config.RECORD_RETENTION_DAYS }),
    ],
  };
}
