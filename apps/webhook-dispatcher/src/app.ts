import { createKernel } from '@pay/http';
import { mountPaymentAudit } from '@pay/payment-audit';
import { isConnectionLoss } from '@pay/persistence';
import type { MerchantApiLimits } from '@pay/rate-limits';
import type { Logger, Metrics } from '@pay/runtime';
import type { Express } from 'express';
import { AUDITED_PAYMENTS } from './payment-audit/audited-payment-repository';
import { mountEndpointActions, type EndpointActionsDeps } from './endpoints/endpoint-action-routes';
import { mountEvents } from './feed/event-routes';
import { mountInternalDeliveries, type InternalDeliveriesDeps } from './delivery/internal-delivery-routes';
import { mountInternalSandbox, type InternalSandboxDeps } from './sandbox/shop-request-routes';
import { mountTestClock, type TestClockDeps } from './sandbox/test-clock-routes';
import { mountMissingDeliveries, type MissingDeliveriesRoutesDeps } from './payment-audit/missing-delivery-routes';
import { mountWebhookDeliveries } from './delivery/delivery-routes';
import { mountWebhookEndpoints, type EndpointRoutesDeps } from './endpoints/endpoint-routes';

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
