import type { Directory } from '@pay/directory';
import { createKernel, internalRoutes, operationServer, tenantServer, type PeerSecret } from '@pay/http';
import { mountPaymentAudit } from '@pay/payment-audit';
import { isTemporaryFailure } from '@pay/persistence';
import type { MerchantApiLimits } from '@pay/rate-limits';
import type { Express } from 'express';
import { AUDITED_PAYMENTS } from './payment-audit/audited-payment-repository';
import { mountEvents } from './feed/event-routes';
import { mountInternalDeliveries } from './delivery/internal-delivery-routes';
import type { ShopRequestDeps } from './sandbox/send-shop-request';
import { mountInternalSandbox } from './sandbox/shop-request-routes';
import { mountTestClock, type TestClockDeps } from './sandbox/test-clock-routes';
import { mountInternalWebhooks, type WebhookDeps } from './internal/webhook-routes';
import { mountForDashboard, type DashboardRoutesDeps } from './internal/internal-routes';
import { mountWebhookDeliveries } from './delivery/delivery-routes';
import { mountWebhookEndpoints } from './endpoints/endpoint-routes';
import { mountRecoveries } from './recovery/recovery-routes';
import type { ServiceDeps } from './service-deps';

export interface AppDeps extends WebhookDeps, Pick<ServiceDeps, 'log' | 'metrics'> {
  readonly directory: Pick<Directory, 'findApiKey'>;
  readonly limits: MerchantApiLimits;
  readonly trustedProxyCidrs?: readonly string[];
}

export function createApp(deps: AppDeps): Express {
  return createKernel({
    log: deps.log,
    metrics: deps.metrics,
    trustedProxyCidrs: deps.trustedProxyCidrs ?? [],
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      const { before, guard: perKey, after } = deps.limits;
      app.use(before);
      const serve = tenantServer(operationServer(app, { findApiKey: deps.directory.findApiKey, guard: perKey }));
      mountWebhookEndpoints(serve, deps);
      mountWebhookDeliveries(serve, deps);
      mountRecoveries(serve, deps);
      mountEvents(app, { ...deps, perKey });
      app.use(after);
    },
  });
}

export function createInternalApp(
  kernel: Pick<AppDeps, 'log' | 'metrics'>,
  deps: DashboardRoutesDeps &
    ShopRequestDeps &
    TestClockDeps & {
      readonly webhooks: WebhookDeps;
      readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
      readonly keptSince: () => Date;
    },
): Express {
  return createKernel({
    log: kernel.log,
    metrics: kernel.metrics,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      const dashboard = internalRoutes(app, 'webhook-dispatcher', deps.peerSecrets)('dashboard-api');
      mountInternalDeliveries(dashboard, deps.db);
      mountInternalWebhooks(dashboard, deps.webhooks);
      mountTestClock(dashboard, { ...deps, log: kernel.log });
      mountInternalSandbox(dashboard, deps);
      mountForDashboard(dashboard, deps);
      mountPaymentAudit(dashboard, {
        db: deps.db,
        keptSince: deps.keptSince,
        source: AUDITED_PAYMENTS,
        readsAgain: 'webhook-dispatcher.events',
      });
    },
  });
}
