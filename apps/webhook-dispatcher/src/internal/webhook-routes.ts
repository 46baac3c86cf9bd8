import { webhookOwnerQuerySchema, type Tenant, BusinessError } from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Request } from 'express';
import { z } from 'zod';
import { findDeliveryEnvironment } from '../delivery/delivery-detail-repository';
import { mountWebhookDeliveries, type DeliveryRoutesDeps } from '../delivery/delivery-routes';
import { findEndpointEnvironment } from '../endpoints/endpoint-repository';
import { mountWebhookEndpoints, type EndpointRoutesDeps } from '../endpoints/endpoint-routes';
import { mountRecoveries, type RecoveryRoutesDeps } from '../recovery/recovery-routes';

export type WebhookDeps = Omit<EndpointRoutesDeps & DeliveryRoutesDeps & RecoveryRoutesDeps, 'tenantOf'>;

const params = z.object({ kind: z.enum(['endpoints', 'deliveries']), id: z.uuid() });

/**
 * Public operations for dashboard sessions, with the tenant in headers. Another route finds the environment of an
 * endpoint or a delivery.
 */
export function mountInternalWebhooks(dashboard: InternalRoutes, webhooks: WebhookDeps): void {
  const deps = { ...webhooks, tenantOf: ({ req }: { readonly req: Request }) => tenantOf(req) };
  mountWebhookEndpoints(dashboard.serve, deps);
  mountWebhookDeliveries(dashboard.serve, deps);
  mountRecoveries(dashboard.serve, deps);
  dashboard.get(
    '/internal/v1/webhook-owners/:kind/:id',
    { params, query: webhookOwnerQuerySchema },
    async ({ params: { kind, id }, query: { merchantId } }) => {
      const environment = await FINDERS[kind](webhooks.db, merchantId, id);
      if (environment === undefined) throw new BusinessError('NOT_FOUND');
      return { environment };
    },
  );
}

type Find = (db: Queryable, merchantId: string, id: string) => Promise<Tenant['environment'] | undefined>;
const FINDERS: Readonly<Record<'endpoints' | 'deliveries', Find>> = {
  endpoints: findEndpointEnvironment,
  deliveries: findDeliveryEnvironment,
};
