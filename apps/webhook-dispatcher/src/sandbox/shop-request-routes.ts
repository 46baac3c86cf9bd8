import {
  internalShopRequestSchema,
  type InternalEndpoints,
  type InternalShopAnswer,
  BusinessError,
} from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Express, Request } from 'express';
import { listEndpointRows } from '../endpoints/endpoint-repository';
import { sendShopRequest, type ShopRequestDeps } from './send-shop-request';

export interface InternalSandboxDeps extends ShopRequestDeps {
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** More than a merchant may have. */
const MOST_ENDPOINTS = 100;

/** `/internal/v1/sandbox`: what test cases need of the endpoints of a merchant. LIVE is answered 403. */
export function mountInternalSandbox(app: Express, deps: InternalSandboxDeps): void {
  const { peerSecrets, db } = deps;
  const fromDashboard = serviceAuth({ audience: 'webhook-dispatcher', secrets: peerSecrets, allow: ['dashboard-api'] });
  app.get(
    '/internal/v1/sandbox/endpoints',
    fromDashboard,
    route({}, async ({ req }) => {
      const { data } = await listEndpointRows(db, sandboxOf(req), { page: 1, limit: MOST_ENDPOINTS });
      const endpoints = data
        .toReversed()
        .map(({ id, url, eventTypes, isActive }) => ({ id, url, eventTypes: [...eventTypes], isActive }));
      return { status: 200, body: { endpoints } satisfies InternalEndpoints };
    }),
  );
  app.post(
    '/internal/v1/sandbox/shop-requests',
    fromDashboard,
    route({ body: internalShopRequestSchema }, async ({ body, req }) => ({
      status: 200,
      body: (await sendShopRequest(deps, sandboxOf(req), body)) satisfies InternalShopAnswer,
    })),
  );
}

function sandboxOf(request: Request) {
  const tenant = tenantOf(request);
  if (tenant.environment !== 'SANDBOX') throw new BusinessError('FORBIDDEN', 'Test cases exist in SANDBOX only.');
  return tenant;
}
