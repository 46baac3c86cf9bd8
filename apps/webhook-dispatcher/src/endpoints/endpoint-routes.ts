import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  registerWebhookEndpoint,
  verifyWebhookEndpoint,
} from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { ApiError, callerOf, operationServer, type CredentialChecks } from '@pay/http';
import type { Express } from 'express';
import type { AddressGuard } from '../adapters/address-guard';
import { changeEndpoint, type ChangeDeps } from './change-endpoint';
import { findEndpoint, listEndpointRows } from './endpoint-repository';
import { deleteEndpoint } from './delete-endpoint';
import { registerEndpoint, type RegisterDeps } from './register-endpoint';
import { endpointVerifier, type VerifyDeps } from './verify-endpoint';
import { endpointAnswer } from './endpoint-answer';

export type EndpointRoutesDeps = VerifyDeps &
  Omit<RegisterDeps, 'db'> &
  Pick<ChangeDeps, 'endpointChanged'> & {
    readonly guard: AddressGuard;
    readonly directory: Pick<Directory, 'findApiKey'>;
    readonly perKey: NonNullable<CredentialChecks['guard']>;
  };

/** `/v1/webhooks/endpoints`: the URLs that receive a merchant's webhooks. */
export function mountWebhookEndpoints(app: Express, deps: EndpointRoutesDeps): void {
  const { db, directory, perKey } = deps;
  const verifyEndpoint = endpointVerifier(deps);
  const serve = operationServer(app, { findApiKey: directory.findApiKey, guard: perKey });

  serve(registerWebhookEndpoint, async ({ body, res }) => ({
    status: 201,
    body: endpointAnswer(await registerEndpoint(deps, callerOf(res), body)),
  }));
  serve(listWebhookEndpoints, async ({ query, res }) => {
    const { data, total } = await listEndpointRows(db, callerOf(res), query);
    return { status: 200, body: { data: data.map(endpointAnswer), total, ...query } };
  });
  serve(getWebhookEndpoint, async ({ params, res }) => {
    const endpoint = await findEndpoint(db, callerOf(res), params.id);
    if (endpoint === undefined) throw new ApiError('NOT_FOUND');
    return { status: 200, body: endpointAnswer(endpoint) };
  });
  serve(changeWebhookEndpoint, async ({ params, body, res }) => ({
    status: 200,
    body: endpointAnswer(await changeEndpoint(deps, callerOf(res), params.id, body)),
  }));
  serve(deleteWebhookEndpoint, async ({ params, res }) => {
    await deleteEndpoint(deps, callerOf(res), params.id);
    return { status: 204 };
  });
  serve(verifyWebhookEndpoint, async ({ params, res }) => ({
    status: 200,
    body: endpointAnswer(await verifyEndpoint(callerOf(res), params.id)),
  }));
}
