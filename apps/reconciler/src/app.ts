import { createKernel, internalRoutes, type PeerSecret } from '@pay/http';
import { mountPaymentAudit } from '@pay/payment-audit';
import { isTemporaryFailure, type Database } from '@pay/persistence';
import { mountProblems } from './alerts/problem-routes';
import { AUDITED_PAYMENTS } from './audit/audited-payment-repository';
import { mountEvidenceFile } from './audit/evidence-file-routes';
import { findPaidEvents } from './audit/find-paid-events';
import type { MakeEvidenceFileDeps } from './audit/make-evidence-file';
import type { ExpireIntentsDeps } from './expiry/expire-intents';
import { mountTestClock } from './expiry/test-clock-routes';
import { mountInternal } from './intake/checkout-routes';
import type { DecideClaimDeps } from './intake/decide-claims';
import { mountPayers } from './retention/payer-routes';
import { mountExceptions } from './reviews/exception-routes';
import { mountMatchOfSms } from './reviews/match-of-sms-routes';
import { mountSearch } from './search/search-routes';
import type { ServiceDeps } from './service-deps';
import { mountStatistics } from './statistics/statistics-routes';

export interface InternalAppDeps extends DecideClaimDeps, ExpireIntentsDeps, MakeEvidenceFileDeps {
  readonly db: Database;
  readonly peerSecrets: { readonly 'checkout-api': PeerSecret; readonly 'dashboard-api': PeerSecret };
  readonly keptSince: () => Date;
}

/** Routes for other services on the private port. The reconciler has no public routes. */
export function createInternalApp(kernel: Pick<ServiceDeps, 'log' | 'metrics'>, deps: InternalAppDeps) {
  const { db, keptSince } = deps;
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      const routesFor = internalRoutes(app, 'reconciler', deps.peerSecrets);
      mountInternal(routesFor('checkout-api'), deps);
      const dashboard = routesFor('dashboard-api');
      mountExceptions(dashboard, deps);
      mountEvidenceFile(dashboard, deps);
      mountMatchOfSms(dashboard, db);
      mountSearch(dashboard, db);
      mountStatistics(dashboard, db);
      mountProblems(dashboard, db);
      mountTestClock(dashboard, deps);
      mountPayers(dashboard, db);
      mountPaymentAudit(dashboard, { db, keptSince, source: AUDITED_PAYMENTS, findPaidEvents });
    },
  });
}
