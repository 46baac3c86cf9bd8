import { createKernel, internalRoutes, type PeerSecret } from '@pay/http';
import { mountPaymentAudit } from '@pay/payment-audit';
import { isTemporaryFailure, type Database } from '@pay/persistence';
import { AUDITED_PAYMENTS } from './audit/audited-payment-repository';
import { findPaidEvents } from './audit/find-paid-events';
import type { MakeEvidenceFileDeps } from './audit/make-evidence-file';
import type { ExpireIntentsDeps } from './expiry/expire-intents';
import { mountInternal } from './internal/checkout-routes';
import type { DecideClaimDeps } from './intake/decide-claims';
import { mountForDashboard } from './internal/internal-routes';
import { mountExceptions } from './reviews/exception-routes';
import type { ServiceDeps } from './service-deps';

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
      mountForDashboard(dashboard, deps);
      mountPaymentAudit(dashboard, { db, keptSince, source: AUDITED_PAYMENTS, findPaidEvents });
    },
  });
}
