import {
  internalShopRequestSchema,
  type InternalEndpoints,
  type InternalShopAnswer,
  BusinessError,
} from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import type { Request } from 'express';
import { listEndpointRows } from '../endpoints/endpoint-repository';
import { sendShopRequest, type ShopRequestDeps } from './send-shop-request';

/** More than a merchant can have. */
const MOST_ENDPOINTS = 100;

/** LIVE gets 403. */
export function mountInternalSandbox(dashboard: InternalRoutes, deps: ShopRequestDeps): void {
  dashboard.get('/internal/v1/sandbox/endpoints', {}, async ({ req }) => {
    const { data } = await listEndpointRows(deps.db, sandboxOf(req), { page: 1, limit: MOST_ENDPOINTS });
    const endpoints = data
      .toReversed()
      .map(({ id, url, eventTypes, isActive }) => ({ id, url, eventTypes: [...eventTypes], isActive }));
    return { endpoints } satisfies InternalEndpoints;
  });
  dashboard.post(
    '/internal/v1/sandbox/shop-requests',
    { body: internalShopRequestSchema },
    async ({ body, req }) => (await sendShopRequest(deps, sandboxOf(req), body)) satisfies InternalShopAnswer,
  );
}

function sandboxOf(request: Request) {
  const tenant = tenantOf(request);
  if (tenant.environment !== 'SANDBOX') throw new BusinessError('FORBIDDEN', 'Test cases exist in SANDBOX only.');
  return tenant;
}
