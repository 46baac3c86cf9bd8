import type { PeerSecret } from '@pay/http';
import type { DecideClaimResponse } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import type { ServiceClient } from '@pay/http';
import type { Messaging } from '@pay/messaging';
import { daysBefore, groupCommit, type Database } from '@pay/persistence';
import type { EncryptionKey, Logger, Metrics, Worker } from '@pay/runtime';
import type { Express } from 'express';
import { fetchIntent } from './intake/intent-api-client';
import { tenantFactsClient } from './expiry/tenant-facts-client';
import { undecidedClient } from './expiry/undecided-client';
import { createInternalApp } from './app';
import { createDecisionChain } from './decision-chain/decision-chain';
import type { DeleteOldRecordsDeps } from './retention/delete-old-records';
import { expireIntent } from './expiry/expire-intents';
import { moveMatchWindows } from './expiry/move-match-windows';
import { findException } from './reviews/find-exception';
import type { MatchSettings } from './intake/find-terms';
import { listExceptions } from './reviews/list-exceptions';
import { decideClaim, decideClaims, type ClaimSubmission } from './intake/decide-claims';
import { reconcilerMetrics } from './matching/reconciler-metrics';
import { reviewException } from './reviews/review-exception';
import { createWorkers } from './worker';

/** Services whose internal routes the reconciler calls. */
export type PeerName = 'intent-api' | 'sms-ingest' | 'checkout-api' | 'dashboard-api';

export interface ServiceParts {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly peers: Readonly<Record<PeerName, Pick<ServiceClient, 'request'>>>;
  readonly peerSecrets: { readonly 'checkout-api': PeerSecret; readonly 'dashboard-api': PeerSecret };
  readonly settings: MatchSettings;
  /** Sign decisions; the first one signs from now on. */
  readonly decisionKeys: readonly EncryptionKey[];
  readonly expiry: {
    readonly graceMs: number;
    readonly intervalMs: number;
    readonly batch: number;
    readonly perSecond: number;
  };
  readonly retention: DeleteOldRecordsDeps['retention'];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Puts the service together from what main.ts has opened. Opens nothing itself. */
export function createService(parts: ServiceParts): { internalApp: Express; workers: Worker[] } {
  const { db, messaging, directory, peers, peerSecrets, settings, expiry, log, now, newId } = parts;
  const metrics = reconcilerMetrics(parts.metrics);
  const decisionChain = createDecisionChain(parts.decisionKeys);
  const deciding = { db, messaging, directory, settings, decisionChain, log, metrics, now, newId };
  const submit = groupCommit<ClaimSubmission, DecideClaimResponse | undefined>({
    db,
    name: 'decide-claims',
    run: (tx, submissions) => decideClaims(deciding, tx, submissions),
  });
  const refreshing = { db, settings, now, fetchIntent: (id: string) => fetchIntent(peers['intent-api'], id) };
  const expiring = {
    ...deciding,
    ...refreshing,
    askUndecided: undecidedClient({
      owners: peers,
      log,
      onSilence: (owner) => metrics.expiryWaits.inc({ cause: owner }),
    }),
    askTenantFacts: tenantFactsClient({
      client: peers['dashboard-api'],
      log,
      onSilence: () => metrics.switchOffWaits.inc(),
    }),
    expiryGraceMs: expiry.graceMs,
    expiryBatch: expiry.batch,
    expiriesPerSecond: expiry.perSecond,
  };
  return {
    internalApp: createInternalApp(
      { log, metrics: parts.metrics },
      {
        db,
        decisionChain,
        // A day less than retention: it is asked in the middle of a sweep.
        keptSince: () => daysBefore(now(), parts.retention.recordDays - 1),
        decideClaim: (request) => decideClaim({ ...refreshing, submit }, request),
        expireIntent: (tenant, intentId, sequence) => expireIntent(expiring, tenant, intentId, sequence),
        moveMatchWindows: (tenant, step) => moveMatchWindows(expiring, tenant, step),
        listExceptions: (query) => listExceptions({ db }, query),
        findException: (merchantId, id) => findException({ db }, merchantId, id),
        reviewException: (merchantId, id, actor, action) =>
          reviewException({ ...deciding, ...refreshing }, merchantId, id, actor, action),
        peerSecrets,
      },
    ),
    workers: createWorkers({
      ...{ ...expiring, messaging, directory, expiryIntervalMs: expiry.intervalMs },
      retention: parts.retention,
    }),
  };
}
