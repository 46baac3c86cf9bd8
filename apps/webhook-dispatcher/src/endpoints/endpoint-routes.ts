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
import type { ServeTenant } from '@pay/http';
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
  };

export function mountWebhookEndpoints(serve: ServeTenant, deps: EndpointRoutesDeps): void {
  const { db } = deps;
  const verifyEndpoint = endpointVerifier(deps);

  serve(registerWebhookEndpoint, async ({ tenant, body }) =>
    endpointAnswer(await registerEndpoint(deps, tenant, body)),
  );
  serve(listWebhookEndpoints, async ({ tenant, query }) => {
    const { data, total } = await listEndpointRows(db, tenant, query);
    return { data: data.map(endpointAnswer), total, ...query };
  });
  serve(getWebhookEndpoint, async ({ tenant, params }) => {
    const endpoint = await findEndpoint(db, tenant, params.id);
    if (endpoint === undefined) throw new BusinessError('NOT_FOUND');
    return endpointAnswer(endpoint);
  });
  serve(changeWebhookEndpoint, async ({ tenant, params, body }) =>
    endpointAnswer(await changeEndpoint(deps, tenant, params.id, body)),
  );
  serve(deleteWebhookEndpoint, async ({ tenant, params }) => {
    await deleteEndpoint(deps, tenant, params.id);
  });
  serve(verifyWebhookEndpoint, async ({ tenant, params }) => endpointAnswer(await verifyEndpoint(tenant, params.id)));
  serve(rotateWebhookSecret, async ({ tenant, params, body }) =>
    endpointAnswer(await rotateSecret(deps, tenant, params.id, body)),
  );
  serve(finishSecretRotation, async ({ tenant, params }) =>
    endpointAnswer(await finishRotation(deps, tenant, params.id)),
  );
}
