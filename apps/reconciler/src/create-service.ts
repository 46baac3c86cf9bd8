import type { DecideClaimResponse } from '@pay/contracts';
import { daysBefore, groupCommit } from '@pay/persistence';
import { databaseGauges, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import { fetchIntent } from './intake/intent-api-client';
import { tenantFactsClient } from './expiry/tenant-facts-client';
import { undecidedClient } from './expiry/undecided-client';
import { createInternalApp } from './app';
import { chainMetrics, watchDecisions } from './decision-chain/chain-metrics';
import { createDecisionChain } from './decision-chain/decision-chain';
import { decideClaims, type ClaimSubmission } from './intake/decide-claims';
import { reconcilerMetrics } from './matching/reconciler-metrics';
import type { ServiceDeps } from './service-deps';
import { createWorkers } from './worker';

/** Composes the service from the resources that main.ts has opened. Opens nothing itself. */
export function createService(deps: ServiceDeps): { internalApp: Express; workers: Worker[] } {
  const { config, db, messaging, directory, peers, log, now, newId } = deps;
  const metrics = { ...reconcilerMetrics(deps.metrics), ...chainMetrics(deps.metrics) };
  watchDecisions(databaseGauges(deps.metrics, log), db, now);
  const shared = {
    db,
    messaging,
    directory,
    settings: {
      matchWindowMs: config.MATCH_WINDOW_HOURS * 3_600_000,
      trxIdLeadMs: config.TRX_ID_LEAD_MINUTES * 60_000,
      recordRetentionMs: config.RECORD_RETENTION_DAYS * 86_400_000,
    },
    expiryGraceMs: config.EXPIRY_GRACE_MS,
    ...deps.expiryPace,
    log,
    metrics,
    now,
    newId,
    decisionChain: createDecisionChain(config.DECISION_CHAIN_KEYS),
    fetchIntent: (id: string) => fetchIntent(peers['intent-api'], id),
    askUndecided: undecidedClient({ owners: peers, log }),
    askTenantFacts: tenantFactsClient({
      client: peers['dashboard-api'],
      log,
      onSilence: () => metrics.switchOffWaits.inc(),
    }),
  };
  const submit = groupCommit<ClaimSubmission, DecideClaimResponse | undefined>({
    db,
    name: 'decide-claims',
    run: (tx, submissions) => decideClaims(shared, tx, submissions),
  });
  // One day less than retention, because it is called during a sweep.
  const keptSince = () => daysBefore(now(), config.RECORD_RETENTION_DAYS - 1);
  return {
    internalApp: createInternalApp(
      { log, metrics: deps.metrics },
      {
        ...shared,
        submit,
        keptSince,
        peerSecrets: {
          'checkout-api': config.PEER_SECRET_CHECKOUT_API,
          'dashboard-api': config.PEER_SECRET_DASHBOARD_API,
        },
      },
    ),
    workers: createWorkers({
      ...shared,
      retention: { claimDays: config.CLAIM_RETENTION_DAYS, recordDays: config.RECORD_RETENTION_DAYS },
    }),
  };
}
