import { createKernel } from '@pay/http';
import { mountPaymentAudit } from '@pay/payment-audit';
import { isConnectionLoss } from '@pay/persistence';
import type { MerchantApiLimits } from '@pay/rate-limits';
import type { Logger, Metrics } from '@pay/runtime';
import type { Express } from 'express';
import { AUDITED_PAYMENTS } from './db/audited-payments';
import { mountEndpointActions, type EndpointActionsDeps } from './routes/endpoint-actions';
import { mountEvents } from './routes/events';
import { mountInternalDeliveries, type InternalDeliveriesDeps } from './routes/internal-deliveries';
import { mountInternalSandbox, type InternalSandboxDeps } from './routes/internal-sandbox';
import { mountTestClock, type TestClockDeps } from './routes/internal-test-clock';
import { mountMissingDeliveries, type MissingDeliveriesRoutesDeps } from './routes/internal-missing-deliveries';
import { mountWebhookDeliveries } from './routes/webhook-deliveries';
import { mountWebhookEndpoints, type EndpointRoutesDeps } from './routes/webhook-endpoints';

export interface AppDeps extends Omit<EndpointRoutesDeps & EndpointActionsDeps, 'perKey'> {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly limits: MerchantApiLimits;
  readonly trustedProxyCidrs?: readonly string[];
}

export function createApp(deps: AppDeps): Express {
  return createKernel({
    log: deps.log,
    metrics: deps.metrics,
    trustedProxyCidrs: deps.trustedProxyCidrs ?? [],
    isUnavailable: isConnectionLoss,
    mount: (app) => {
      const { before, guard: perKey, after } = deps.limits;
      app.use(before);
      mountWebhookEndpoints(app, { ...deps, perKey });
      mountEndpointActions(app, { ...deps, perKey });
      mountWebhookDeliveries(app, { ...deps, perKey });
      mountEvents(app, { ...deps, perKey });
      app.use(after);
    },
  });
}

/** What other services reach, on the private port. */
export function createInternalApp(
  kernel: Pick<AppDeps, 'log' | 'metrics'>,
  deps: InternalDeliveriesDeps &
    MissingDeliveriesRoutesDeps &
    InternalSandboxDeps &
    TestClockDeps & { readonly keptSince?: () => Date },
): Express {
  return createKernel({
    ...{ log: kernel.log, metrics: kernel.metrics },
    isUnavailable: isConnectionLoss,
    mount: (app) => {
      mountInternalDeliveries(app, deps);
      mountTestClock(app, { ...deps, log: kernel.log });
      mountMissingDeliveries(app, deps);
      mountInternalSandbox(app, deps);
      mountPaymentAudit(app, {
        keptSince: deps.keptSince,
        ...{ db: deps.db, peerSecrets: deps.peerSecrets, service: 'webhook-dispatcher', source: AUDITED_PAYMENTS },
        readsAgain: 'webhook-dispatcher.events',
      });
    },
  });
}
