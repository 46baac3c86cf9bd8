import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import type { Express } from 'express';
import { mountWebhookDeliveries, type DeliveryRoutesDeps } from './routes/webhook-deliveries';
import { mountWebhookEndpoints, type EndpointRoutesDeps } from './routes/webhook-endpoints';

export interface AppDeps extends EndpointRoutesDeps, DeliveryRoutesDeps {
  readonly db: EndpointRoutesDeps['db'];
  readonly log: Logger;
  readonly metrics: Metrics;
}

export function createApp(deps: AppDeps): Express {
  return createKernel({
    log: deps.log,
    metrics: deps.metrics,
    isUnavailable: isConnectionLoss,
    mount: (app) => {
      mountWebhookEndpoints(app, deps);
      mountWebhookDeliveries(app, deps);
    },
  });
}
