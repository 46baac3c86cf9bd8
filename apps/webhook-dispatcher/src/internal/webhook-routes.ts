import { webhookOwnerQuerySchema, type Tenant, BusinessError } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { z } from 'zod';
import { findDeliveryEnvironment } from '../delivery/delivery-detail-repository';
import { mountWebhookDeliveries } from '../delivery/delivery-routes';
import type { AskDeps } from '../delivery/test-endpoint';
import { findEndpointEnvironment } from '../endpoints/endpoint-repository';
import { mountWebhookEndpoints, type EndpointRoutesDeps } from '../endpoints/endpoint-routes';
import type { RecoverDeps } from '../recovery/recover-endpoint';
import { mountRecoveries } from '../recovery/recovery-routes';

export type WebhookDeps = EndpointRoutesDeps & AskDeps & RecoverDeps;

const params = z.object({ kind: z.enum(['endpoints', 'deliveries']), id: z.uuid() });

/**
 * Public operations for dashboard sessions, with the tenant in headers. Another route finds the environment of an
 * endpoint or a delivery.
 */
export function mountInternalWebhooks(dashboard: InternalRoutes, webhooks: WebhookDeps): void {
  mountWebhookEndpoints(dashboard.serve, webhooks);
  mountWebhookDeliveries(dashboard.serve, webhooks);
  mountRecoveries(dashboard.serve, webhooks);
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
