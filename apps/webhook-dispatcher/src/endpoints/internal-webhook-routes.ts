import { webhookOwnerQuerySchema, type Tenant, BusinessError } from '@pay/contracts';
import { internalOperationServer, route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express, Request } from 'express';
import { z } from 'zod';
import { findDeliveryEnvironment } from '../delivery/delivery-detail-repository';
import { mountWebhookDeliveries } from '../delivery/delivery-routes';
import { mountEndpointActions, type EndpointActionsDeps } from './endpoint-action-routes';
import { findEndpointEnvironment } from './endpoint-repository';
import { mountWebhookEndpoints, type EndpointRoutesDeps } from './endpoint-routes';

export interface InternalWebhooksDeps {
  /** What the public operations need. */
  readonly webhooks: Omit<EndpointRoutesDeps & EndpointActionsDeps, 'tenantOf'>;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

const params = z.object({ kind: z.enum(['endpoints', 'deliveries']), id: z.uuid() });

/**
 * The public operations on endpoints and deliveries for the tenant of the headers, for sessions of the dashboard, and
 * to which environment an endpoint or a delivery of a merchant belongs.
 */
export function mountInternalWebhooks(app: Express, { webhooks, peerSecrets }: InternalWebhooksDeps): void {
  const auth = serviceAuth({ audience: 'webhook-dispatcher', secrets: peerSecrets, allow: ['dashboard-api'] });
  const serve = internalOperationServer(app, auth);
  const deps = { ...webhooks, tenantOf: ({ req }: { readonly req: Request }) => tenantOf(req) };
  mountWebhookEndpoints(serve, deps);
  mountEndpointActions(serve, deps);
  mountWebhookDeliveries(serve, deps);
  app.get(
    '/internal/v1/webhook-owners/:kind/:id',
    auth,
    route({ params, query: webhookOwnerQuerySchema }, async ({ params: { kind, id }, query: { merchantId } }) => {
      const environment = await FINDERS[kind](webhooks.db, merchantId, id);
      if (environment === undefined) throw new BusinessError('NOT_FOUND');
      return { status: 200, body: { environment } };
    }),
  );
}

type Find = (db: Queryable, merchantId: string, id: string) => Promise<Tenant['environment'] | undefined>;
const FINDERS: Readonly<Record<'endpoints' | 'deliveries', Find>> = {
  endpoints: findEndpointEnvironment,
  deliveries: findDeliveryEnvironment,
};
