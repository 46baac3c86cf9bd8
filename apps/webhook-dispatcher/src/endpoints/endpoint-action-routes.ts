import {
  finishSecretRotation,
  getWebhookRecovery,
  recoverWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  type RecoveryResponse,
  BusinessError,
} from '@pay/contracts';
import { type Serve, type TenantOfRequest } from '@pay/http';
import { findEndpoint } from './endpoint-repository';
import { latestRecovery, type Recovery } from '../recovery/recovery-repository';
import { recoverEndpoint, type RecoverDeps } from '../recovery/recover-endpoint';
import { finishRotation, rotateSecret, type RotateDeps } from './rotate-secret';
import { testEndpoint, type AskDeps } from '../delivery/test-endpoint';
import { deliveryAnswer } from '../delivery/delivery-answer';
import { endpointAnswer } from './endpoint-answer';

export interface EndpointActionsDeps extends AskDeps, RecoverDeps, RotateDeps {
  readonly db: AskDeps['db'];
  readonly tenantOf: TenantOfRequest;
}

/** Routes for actions on an endpoint, such as verification, rotation and recovery. */
export function mountEndpointActions(serve: Serve, deps: EndpointActionsDeps): void {
  const { db, tenantOf } = deps;

  serve(rotateWebhookSecret, async ({ params, body, ...call }) => ({
    status: 200,
    body: endpointAnswer(await rotateSecret(deps, tenantOf(call), params.id, body)),
  }));
  serve(finishSecretRotation, async ({ params, ...call }) => ({
    status: 200,
    body: endpointAnswer(await finishRotation(deps, tenantOf(call), params.id)),
  }));
  serve(testWebhookEndpoint, async ({ params, ...call }) => ({
    status: 200,
    body: deliveryAnswer(await testEndpoint(deps, tenantOf(call), params.id)),
  }));
  serve(recoverWebhookEndpoint, async ({ params, body, ...call }) => ({
    status: 200,
    body: recoveryAnswer(await recoverEndpoint(deps, tenantOf(call), params.id, new Date(body.since))),
  }));
  serve(getWebhookRecovery, async ({ params, ...call }) => {
    if ((await findEndpoint(db, tenantOf(call), params.id)) === undefined) throw new BusinessError('NOT_FOUND');
    const recovery = await latestRecovery(db, params.id);
    return { status: 200, body: { recovery: recovery === undefined ? null : recoveryAnswer(recovery) } };
  });
}

function recoveryAnswer({ since, createdAt, finishedAt, ...recovery }: Recovery): RecoveryResponse {
  return {
    ...recovery,
    since: since.toISOString(),
    status: finishedAt === null ? 'RUNNING' : 'DONE',
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
