import type { SmsAccepted } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { ServiceClient } from '@pay/http';
import type { Messaging } from '@pay/messaging';
import { groupCommit, type Database } from '@pay/persistence';
import type { Logger, Metrics, Worker } from '@pay/runtime';
import type { Express } from 'express';
import { clientAddress, limitRequests, openRateLimits } from '@pay/rate-limits';
import { createApp, createInternalApp } from './app';
import type { SmsIngestConfig } from './config';
import type { ArrivedSms } from './domain/arrived-sms';
import type { Readers, SenderIds } from './domain/parse-sms';
import { devicesSeen } from './note-devices-seen';
import { smsMetrics } from './sms-metrics';
import { storeSms } from './store-sms';
import { createWorkers } from './worker';

/** Large enough for a phone's back-log to need few transactions, small enough for others to get in between. */
const MOST_SMS_PER_TRANSACTION = 100;

export interface ServiceParts {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly dashboardApi: Pick<ServiceClient, 'request'>;
  readonly senderIds: SenderIds;
  /** The parsers, when they are not the usual ones. */
  readonly readers?: Readers;
  readonly limits: Pick<SmsIngestConfig, 'RATE_LIMIT_PAIRINGS_PER_MINUTE'>;
  readonly trustedProxyCidrs: readonly string[];
  readonly peerSecrets: { readonly reconciler: string };
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Puts the service together from what main.ts has opened. Opens nothing itself. */
export function createService(parts: ServiceParts): { app: Express; internalApp: Express; workers: Worker[] } {
  const { db, messaging, directory, dashboardApi, senderIds, readers, peerSecrets, log, now, newId } = parts;
  const metrics = smsMetrics(parts.metrics);
  const store = groupCommit<ArrivedSms, SmsAccepted>({
    db,
    name: 'store-sms',
    maxItems: MOST_SMS_PER_TRANSACTION,
    run: (tx, sms) => storeSms({ messaging, now }, tx, sms),
  });
  const clock = () => performance.now();
  const seen = devicesSeen({ db, log, clock });
  const limits = openRateLimits({ db, replica: newId(), log, metrics: parts.metrics, clock });
  const pairings = { name: 'device_pairing', count: parts.limits.RATE_LIMIT_PAIRINGS_PER_MINUTE, seconds: 60 };
  const pairingGuard = limitRequests(limits, limits.limiter(pairings), clientAddress);
  const kernel = { log, metrics: parts.metrics, trustedProxyCidrs: parts.trustedProxyCidrs };
  return {
    app: createApp(kernel, {
      db,
      directory,
      dashboardApi,
      pairingGuard,
      store,
      noteSeen: seen.noteSeen,
      senderIds,
      readers,
      newId,
      log,
      metrics,
    }),
    internalApp: createInternalApp(kernel, { db, peerSecrets }),
    workers: [...createWorkers({ db, messaging, directory, metrics, log, now }), seen.worker(), limits.worker()],
  };
}
