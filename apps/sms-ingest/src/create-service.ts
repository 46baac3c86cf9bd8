import type { PeerSecret } from '@pay/http';
import type { SmsAccepted } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { ServiceClient } from '@pay/http';
import type { Messaging } from '@pay/messaging';
import { groupCommit, type Database } from '@pay/persistence';
import {
  ageOfOldest,
  every,
  semaphore,
  type EncryptionKey,
  type Logger,
  type Metrics,
  type SecretBox,
  type Worker,
} from '@pay/runtime';
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
import type { SmsIngestConfig } from './config';
import type { ArrivedSms } from './domain/arrived-sms';
import type { Readers, SenderIds } from './domain/parse-sms';
import { recordRetention } from './retention/delete-old-records';
import { openDevices, type DeviceSettings } from './devices/open-devices';
import { forwarderMetrics } from './intake/forwarder-metrics';
import { smsMetrics } from './intake/sms-metrics';
import type { SmsSecrets } from './texts/sms-secrets';
import { reportWaitingSms } from './intake/report-waiting-sms';
import { storeSms } from './intake/store-sms';
import { undecidedSms } from './intake/sms-event-repository';
import { openWaitingSms } from './intake/waiting-sms';
import type { TextRetention } from './texts/delete-old-texts';
import { deleteOldTexts } from './texts/delete-old-texts';
import {
  admissionBoundsOf,
  deviceLimitOf,
  hookLimitOf,
  refuseWhileBusy,
  unknownCredentialLimitOf,
  type IntakeLimits,
} from './intake/limit-intake';
import { formatHookRefusal, UNKNOWN_CREDENTIALS } from './intake/limit-unknown-credentials';
import { createWorkers } from './worker';

/** Large enough for a phone's backlog to need few transactions, small enough not to delay others. */
const MOST_SMS_PER_TRANSACTION = 100;
const DELETE_TEXTS_INTERVAL_MS = 600_000;

export interface ServiceParts {
  readonly db: Database;
  /** One connection for reports about SMS that wait in memory, because those of `db` may all be occupied. */
  readonly intakeDb: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly dashboardApi: Pick<ServiceClient, 'request'>;
  readonly senderIds: SenderIds;
  readonly secrets: SmsSecrets;
  /** The key that encrypts new texts. */
  readonly currentKey: Pick<EncryptionKey, 'id'>;
  readonly retention: TextRetention;
  readonly recordRetentionDays: number;
  /** Keys that decrypt the signing secrets of forwarder apps. */
  readonly hookSecrets: Pick<SecretBox, 'open'>;
  /** Replaces the default parsers. */
  readonly readers?: Readers;
  readonly limits: Pick<SmsIngestConfig, 'RATE_LIMIT_PAIRINGS_PER_MINUTE' | 'MISSING_SMS_GRACE_SECONDS'> &
    IntakeLimits &
    DeviceSettings;
  readonly trustedProxyCidrs: readonly string[];
  readonly peerSecrets: { readonly reconciler: PeerSecret; readonly 'dashboard-api': PeerSecret };
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(parts: ServiceParts): { app: Express; internalApp: Express; workers: Worker[] } {
  const { db, messaging, directory, dashboardApi, senderIds, readers, peerSecrets, secrets, log, now, newId } = parts;
  const metrics = smsMetrics(parts.metrics);
  parts.metrics.gauge(
    'sms_undecided_oldest_seconds',
    ageOfOldest(() => undecidedSms(db), now),
  );
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
  const admission = openAdmission(admissionBoundsOf(parts.limits), {
    clock,
    noteRefusal: (bound) => metrics.turnedAway.inc({ bound }),
  });
  const devices = openDevices({
    db,
    messaging,
    directory,
    settings: parts.limits,
    log,
    metrics: parts.metrics,
    now,
    clock,
  });
  const limits = openRateLimits({ db, replica: newId(), log, metrics: parts.metrics, clock });
  const pairings = { name: 'device_pairing', count: parts.limits.RATE_LIMIT_PAIRINGS_PER_MINUTE, seconds: 60 };
  const pairingGuard = limitRequests(limits, limits.limiter(pairings), clientAddress);
  const perDevice = limits.limiter(deviceLimitOf(parts.limits));
  const unknownCredentials = limitUnknownCredentials(
    limits,
    limits.limiter(unknownCredentialLimitOf(parts.limits)),
    clock,
    UNKNOWN_CREDENTIALS,
  );
  const texts = { db, retention: parts.retention, currentKey: parts.currentKey, log, now };
  const kernel = { log, metrics: parts.metrics, trustedProxyCidrs: parts.trustedProxyCidrs };
  return {
    app: createApp(kernel, {
      db,
      directory,
      dashboardApi,
      pairingGuard,
      hookSecrets: parts.hookSecrets,
      forwarderMetrics: forwarderMetrics(parts.metrics),
      now,
      store,
      admit: admission.admit,
      unknownCredentials,
      deviceGuards: [unknownCredentials.accepted, limitDevices(limits, perDevice), refuseWhileBusy(admission)],
      hookGuards: [
        unknownCredentials.accepted,
        limitHooks(limits, limits.limiter(hookLimitOf(parts.limits)), formatHookRefusal),
        refuseWhileBusy(admission, formatHookRefusal),
      ],
      ...devices.atHand,
      senderIds,
      readers,
      newId,
      log,
      metrics,
    }),
    internalApp: createInternalApp(kernel, {
      db,
      peerSecrets,
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
      reportWaitingSms({ db: parts.intakeDb, waiting, processId: newId(), log }),
      ...devices.workers(),
      ...balanceWorkers({
        db,
        messaging,
        directory,
        metrics: balanceMetrics(parts.metrics),
        log,
        now,
        newId,
        graceMs: parts.limits.MISSING_SMS_GRACE_SECONDS * 1_000,
      }),
      limits.worker(),
      every('delete-old-texts', DELETE_TEXTS_INTERVAL_MS, (signal) => deleteOldTexts(texts, signal), { log }),
      recordRetention({ db, log, now, recordRetentionDays: parts.recordRetentionDays }),
    ],
  };
}
