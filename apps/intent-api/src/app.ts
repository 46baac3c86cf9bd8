import { createKernel } from '@pay/http';
import { mountPaymentAudit } from '@pay/payment-audit';
import { isConnectionLoss } from '@pay/persistence';
import type { MerchantApiLimits } from '@pay/rate-limits';
import type { Logger, Metrics } from '@pay/runtime';
import { AUDITED_PAYMENTS } from './payment-audit/audited-payment-repository';
import { findPaidEvents } from './payment-audit/find-paid-events';
import { mountInternalIntents, type InternalIntentDeps } from './intents/internal-intent-routes';
import { mountPayers } from './retention/payer-routes';
import { mountTestClock, type TestClockDeps } from './test-clock/test-clock-routes';
import { mountPaymentIntents, type PaymentIntentDeps } from './intents/payment-intent-routes';
import { mountSearch, type SearchDeps } from './search/search-routes';
import { mountStatistics, type StatisticsDeps } from './statistics/statistics-routes';
import { mountReceiverUsage } from './receivers/receiver-usage-routes';

export interface KernelDeps {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly trustedProxyCidrs?: readonly string[];
}

export interface AppDeps extends Omit<PaymentIntentDeps, 'guard'> {
  readonly limits: MerchantApiLimits;
}

/** What merchants reach. */
export function createApp(kernel: KernelDeps, deps: AppDeps) {
  const { before, guard, after } = deps.limits;
  return createKernel({
    ...kernel,
    isUnavailable: isConnectionLoss,
    mount(app) {
      app.use(before);
      mountPaymentIntents(app, { ...deps, guard });
      app.use(after);
    },
  });
}

/** What other services reach, on the private port. */
export function createInternalApp(
  kernel: KernelDeps,
  deps: InternalIntentDeps & SearchDeps & StatisticsDeps & TestClockDeps & { readonly keptSince: () => Date },
) {
  return createKernel({
    ...kernel,
    isUnavailable: isConnectionLoss,
    mount(app) {
      mountInternalIntents(app, deps);
      mountReceiverUsage(app, deps);
      mountSearch(app, deps);
      mountStatistics(app, deps);
      mountTestClock(app, deps);
      mountPayers(app, deps);
      mountPaymentAudit(app, {
        keptSince: deps.keptSince,
        ...{ db: deps.db, peerSecrets: deps.peerSecrets, service: 'intent-api', source: AUDITED_PAYMENTS },
        ...{ readsAgain: 'intent-api.events', findPaidEvents },
      });
    },
  });
}
