import { pageQuerySchema, registerEndpointRequestSchema, type EndpointResponse, type Page } from '@pay/contracts';
import { ApiError, apiKeyAuth, callerOf, route } from '@pay/http';
import type { Directory } from '@pay/directory';
import type { Database } from '@pay/persistence';
import { Router } from 'express';
import { z } from 'zod';
import { findEndpoint, listEndpointRows, type Endpoint } from '../db/endpoints';
import { deleteEndpoint } from '../delete-endpoint';
import { registerEndpoint, type RegisterDeps } from '../register-endpoint';

export interface EndpointRoutesDeps extends RegisterDeps {
  readonly db: Database;
  readonly directory: Pick<Directory, 'findApiKey'>;
}

const idParams = z.object({ id: z.uuid() });

export function webhookEndpointRoutes(deps: EndpointRoutesDeps): Router {
  const { db, directory } = deps;
  const mayRead = apiKeyAuth(directory.findApiKey, 'webhooks:read');
  const mayWrite = apiKeyAuth(directory.findApiKey, 'webhooks:write');
  const router = Router();

  router.post(
    '/',
    mayWrite,
    route({ body: registerEndpointRequestSchema }, async ({ body, res }) => ({
      status: 201,
      body: answerOf(await registerEndpoint(deps, callerOf(res), body)),
    })),
  );
  router.get(
    '/',
    mayRead,
    route({ query: pageQuerySchema }, async ({ query, res }) => {
      const { data, total } = await listEndpointRows(db, callerOf(res), query);
      return { status: 200, body: { data: data.map(answerOf), total, ...query } satisfies Page<EndpointResponse> };
    }),
  );
  router.get(
    '/:id',
    mayRead,
    route({ params: idParams }, async ({ params, res }) => {
      const endpoint = await findEndpoint(db, callerOf(res), params.id);
      if (endpoint === undefined) throw new ApiError('NOT_FOUND');
      return { status: 200, body: answerOf(endpoint) };
    }),
  );
  router.delete(
    '/:id',
    mayWrite,
    route({ params: idParams }, async ({ params, res }) => {
      await deleteEndpoint(deps, callerOf(res), params.id);
      return { status: 204 };
    }),
  );
  return router;
}

/** Field by field: what is added to the row, its secret above all, does not slip into the answer. */
function answerOf(endpoint: Endpoint): EndpointResponse {
  const { id, url, eventTypes, environment, isVerified, isActive, createdAt } = endpoint;
  return {
    id,
    url,
    eventTypes: [...eventTypes],
    environment,
    isVerified,
    isActive,
    createdAt: createdAt.toISOString(),
  };
}
