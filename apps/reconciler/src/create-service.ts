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
import type { MatchSettings } from './intake/find-terms';
import { decideClaims, type ClaimSubmission } from './intake/decide-claims';
import { reconcilerMetrics } from './matching/reconciler-metrics';
import { createWorkers, type WorkerDeps } from './worker';

/** Services whose internal routes the reconciler calls. */
export type PeerName = 'intent-api' | 'sms-ingest' | 'checkout-api' | 'dashboard-api';

export interface ServiceParts {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly peers: Readonly<Record<PeerName, Pick<ServiceClient, 'request'>>>;
  readonly peerSecrets: { readonly 'checkout-api': PeerSecret; readonly 'dashboard-api': PeerSecret };
  readonly settings: MatchSettings;
  /** Keys that sign decisions; the first one signs new ones. */
  readonly decisionKeys: readonly EncryptionKey[];
  readonly expiry: Pick<WorkerDeps, 'expiryGraceMs' | 'expiryBatch' | 'expiriesPerSecond' | 'expiryIntervalMs'>;
  readonly retention: DeleteOldRecordsDeps['retention'];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(parts: ServiceParts): { internalApp: Express; workers: Worker[] } {
  const { db, messaging, directory, peers, peerSecrets, settings, expiry, log, now, newId } = parts;
  const metrics = reconcilerMetrics(parts.metrics);
  const deps = {
    db,
    messaging,
    directory,
    settings,
    log,
    metrics,
    now,
    newId,
    ...expiry,
    decisionChain: createDecisionChain(parts.decisionKeys),
    fetchIntent: (id: string) => fetchIntent(peers['intent-api'], id),
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
  };
  const submit = groupCommit<ClaimSubmission, DecideClaimResponse | undefined>({
    db,
    name: 'decide-claims',
    run: (tx, submissions) => decideClaims(deps, tx, submissions),
  });
  // One day less than retention, because it is called during a sweep.
  const keptSince = () => daysBefore(now(), parts.retention.recordDays - 1);
  return {
    internalApp: createInternalApp({ log, metrics: parts.metrics }, { ...deps, submit, keptSince, peerSecrets }),
    workers: createWorkers({ ...deps, retention: parts.retention }),
  };
}
