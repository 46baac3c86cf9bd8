import { getWebhookRecovery, recoverWebhookEndpoint, type RecoveryResponse, BusinessError } from '@pay/contracts';
import { type Serve, type TenantOfRequest } from '@pay/http';
import { findEndpoint } from '../endpoints/endpoint-repository';
import { latestRecovery, type Recovery } from '../endpoints/recovery-request-repository';
import { recoverEndpoint, type RecoverDeps } from './recover-endpoint';

export interface RecoveryRoutesDeps extends RecoverDeps {
  readonly tenantOf: TenantOfRequest;
}

export function mountRecoveries(serve: Serve, deps: RecoveryRoutesDeps): void {
  const { db, tenantOf } = deps;

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
