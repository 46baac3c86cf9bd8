import { createKernel, internalRoutes, type KernelDeps, type PeerSecret } from '@pay/http';
import { mountPaymentAudit } from '@pay/payment-audit';
import { isTemporaryFailure } from '@pay/persistence';
import type { MerchantApiLimits } from '@pay/rate-limits';
import { AUDITED_PAYMENTS } from './payment-audit/audited-payment-repository';
import { findPaidEvents } from './payment-audit/find-paid-events';
import type { ChooseMethodDeps } from './intents/choose-method';
import { mountInternalIntents } from './intents/internal-intent-routes';
import { mountPayers } from './retention/payer-routes';
import type { MoveExpiriesDeps } from './test-clock/move-expiries';
import { mountTestClock } from './test-clock/test-clock-routes';
import { mountPaymentIntents, type PaymentIntentDeps } from './intents/payment-intent-routes';
import { mountSearch } from './search/search-routes';
import { mountStatistics } from './statistics/statistics-routes';
import { mountReceiverUsage } from './receivers/receiver-usage-routes';

export interface AppDeps extends Omit<PaymentIntentDeps, 'guard'> {
  readonly limits: MerchantApiLimits;
}

export function createApp(kernel: KernelDeps, deps: AppDeps) {
  const { before, guard, after } = deps.limits;
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount(app) {
      app.use(before);
      mountPaymentIntents(app, { ...deps, guard });
      app.use(after);
    },
  });
}

export interface InternalAppDeps extends ChooseMethodDeps, MoveExpiriesDeps {
  readonly peerSecrets: Readonly<Record<'checkout-api' | 'reconciler' | 'dashboard-api', PeerSecret>>;
  readonly keptSince: () => Date;
}

export function createInternalApp(kernel: KernelDeps, deps: InternalAppDeps) {
  const { db, keptSince } = deps;
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount(app) {
      const routesFor = internalRoutes(app, 'intent-api', deps.peerSecrets);
      mountInternalIntents(routesFor, deps);
      const dashboard = routesFor('dashboard-api');
      mountReceiverUsage(dashboard, deps);
      mountSearch(dashboard, db);
      mountStatistics(dashboard, deps);
      mountTestClock(dashboard, deps);
      mountPayers(dashboard, db);
      const readsAgain = 'intent-api.events';
      mountPaymentAudit(dashboard, { db, keptSince, source: AUDITED_PAYMENTS, readsAgain, findPaidEvents });
    },
  });
}
