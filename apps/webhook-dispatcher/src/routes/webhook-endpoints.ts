import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  registerWebhookEndpoint,
  type EndpointResponse,
} from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { ApiError, callerOf, operationServer, type Doors } from '@pay/http';
import type { Database } from '@pay/persistence';
import type { Express } from 'express';
import { findEndpoint, listEndpointRows, type Endpoint } from '../db/endpoints';
import { deleteEndpoint } from '../delete-endpoint';
import { registerEndpoint, type RegisterDeps } from '../register-endpoint';

export interface EndpointRoutesDeps extends RegisterDeps {
  readonly db: Database;
  readonly directory: Pick<Directory, 'findApiKey'>;
  readonly perKey: NonNullable<Doors['guard']>;
}

/** `/v1/webhooks/endpoints`: where a merchant wants to be told. */
export function mountWebhookEndpoints(app: Express, deps: EndpointRoutesDeps): void {
  const { db, directory, perKey } = deps;
  const serve = operationServer(app, { findApiKey: directory.findApiKey, guard: perKey });

  serve(registerWebhookEndpoint, async ({ body, res }) => ({
    status: 201,
    body: answerOf(await registerEndpoint(deps, callerOf(res), body)),
  }));
  serve(listWebhookEndpoints, async ({ query, res }) => {
    const { data, total } = await listEndpointRows(db, callerOf(res), query);
    return { status: 200, body: { data: data.map(answerOf), total, ...query } };
  });
  serve(getWebhookEndpoint, async ({ params, res }) => {
    const endpoint = await findEndpoint(db, callerOf(res), params.id);
    if (endpoint === undefined) throw new ApiError('NOT_FOUND');
    return { status: 200, body: answerOf(endpoint) };
  });
  serve(deleteWebhookEndpoint, async ({ params, res }) => {
    await deleteEndpoint(deps, callerOf(res), params.id);
    return { status: 204 };
  });
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
