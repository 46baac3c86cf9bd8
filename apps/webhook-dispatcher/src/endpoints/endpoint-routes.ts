import {
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  finishSecretRotation,
  getWebhookEndpoint,
  listWebhookEndpoints,
  registerWebhookEndpoint,
  rotateWebhookSecret,
  verifyWebhookEndpoint,
  BusinessError,
} from '@pay/contracts';
import { type Serve, type TenantOfRequest } from '@pay/http';
import type { AddressGuard } from '../adapters/address-guard';
import { changeEndpoint, type ChangeDeps } from './change-endpoint';
import { findEndpoint, listEndpointRows } from './endpoint-repository';
import { deleteEndpoint, type DeleteDeps } from './delete-endpoint';
import { registerEndpoint, type RegisterDeps } from './register-endpoint';
import { finishRotation, rotateSecret, type RotateDeps } from './rotate-secret';
import { endpointVerifier, type VerifyDeps } from './verify-endpoint';
import { endpointAnswer } from './endpoint-answer';

export type EndpointRoutesDeps = VerifyDeps &
  RotateDeps &
  Omit<RegisterDeps, 'db'> &
  Pick<ChangeDeps, 'endpointChanged'> &
  Pick<DeleteDeps, 'log'> & {
    readonly guard: AddressGuard;
    readonly tenantOf: TenantOfRequest;
  };

export function mountWebhookEndpoints(serve: Serve, deps: EndpointRoutesDeps): void {
  const { db, tenantOf } = deps;
  const verifyEndpoint = endpointVerifier(deps);

  serve(registerWebhookEndpoint, async ({ body, ...call }) => ({
    status: 201,
    body: endpointAnswer(await registerEndpoint(deps, tenantOf(call), body)),
  }));
  serve(listWebhookEndpoints, async ({ query, ...call }) => {
    const { data, total } = await listEndpointRows(db, tenantOf(call), query);
    return { status: 200, body: { data: data.map(endpointAnswer), total, ...query } };
  });
  serve(getWebhookEndpoint, async ({ params, ...call }) => {
    const endpoint = await findEndpoint(db, tenantOf(call), params.id);
    if (endpoint === undefined) throw new BusinessError('NOT_FOUND');
    return { status: 200, body: endpointAnswer(endpoint) };
  });
  serve(changeWebhookEndpoint, async ({ params, body, ...call }) => ({
    status: 200,
    body: endpointAnswer(await changeEndpoint(deps, tenantOf(call), params.id, body)),
  }));
  serve(deleteWebhookEndpoint, async ({ params, ...call }) => {
    await deleteEndpoint(deps, tenantOf(call), params.id);
    return { status: 204 };
  });
  serve(verifyWebhookEndpoint, async ({ params, ...call }) => ({
    status: 200,
    body: endpointAnswer(await verifyEndpoint(tenantOf(call), params.id)),
  }));
  serve(rotateWebhookSecret, async ({ params, body, ...call }) => ({
    status: 200,
    body: endpointAnswer(await rotateSecret(deps, tenantOf(call), params.id, body)),
  }));
  serve(finishSecretRotation, async ({ params, ...call }) => ({
    status: 200,
    body: endpointAnswer(await finishRotation(deps, tenantOf(call), params.id)),
  }));
}
