import { createKernel } from '@pay/http';
import { mountPaymentAudit } from '@pay/payment-audit';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import { AUDITED_PAYMENTS } from './audit/audited-payment-repository';
import { findPaidEvents } from './audit/find-paid-events';
import { mountEvidenceFile, type EvidenceFileRoutesDeps } from './audit/evidence-file-routes';
import { mountExceptions, type ExceptionRoutesDeps } from './reviews/exception-routes';
import { mountMatchOfSms, type MatchOfSmsDeps } from './reviews/match-of-sms-routes';
import { mountSearch, type SearchDeps } from './search/search-routes';
import { mountStatistics, type StatisticsDeps } from './statistics/statistics-routes';
import { mountInternal, type InternalDeps } from './intake/checkout-routes';
import { mountPayers, type PayerRoutesDeps } from './retention/payer-routes';
import { mountTestClock, type TestClockDeps } from './expiry/test-clock-routes';

/** What other services reach, on the private port. The reconciler has no public routes. */
export function createInternalApp(
  kernel: { readonly log: Logger; readonly metrics: Metrics },
  deps: InternalDeps &
    ExceptionRoutesDeps &
    EvidenceFileRoutesDeps &
    MatchOfSmsDeps &
    SearchDeps &
    StatisticsDeps &
    TestClockDeps &
    PayerRoutesDeps & { readonly keptSince: () => Date },
) {
  return createKernel({
    ...kernel,
    isUnavailable: isConnectionLoss,
    mount: (app) => {
      mountInternal(app, deps);
      mountExceptions(app, deps);
      mountEvidenceFile(app, deps);
      mountMatchOfSms(app, deps);
      mountSearch(app, deps);
      mountStatistics(app, deps);
      mountTestClock(app, deps);
      mountPayers(app, deps);
      mountPaymentAudit(app, {
        keptSince: deps.keptSince,
        ...{ db: deps.db, peerSecrets: deps.peerSecrets, service: 'reconciler', source: AUDITED_PAYMENTS },
        findPaidEvents,
      });
    },
  });
}
