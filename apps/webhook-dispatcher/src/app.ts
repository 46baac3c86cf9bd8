import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import type { Express } from 'express';
import { webhookDeliveryRoutes, type DeliveryRoutesDeps } from './routes/webhook-deliveries';
import { webhookEndpointRoutes, type EndpointRoutesDeps } from './routes/webhook-endpoints';

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
      app.use('/v1/webhooks/endpoints', webhookEndpointRoutes(deps));
      app.use('/v1/webhooks/deliveries', webhookDeliveryRoutes(deps));
    },
  });
}
