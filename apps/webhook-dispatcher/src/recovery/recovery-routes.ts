import { getWebhookRecovery, recoverWebhookEndpoint, type RecoveryResponse, BusinessError } from '@pay/contracts';
import type { ServeTenant } from '@pay/http';
import { findEndpoint } from '../endpoints/endpoint-repository';
import { latestRecovery, type Recovery } from '../endpoints/recovery-request-repository';
import { recoverEndpoint, type RecoverDeps } from './recover-endpoint';

export function mountRecoveries(serve: ServeTenant, deps: RecoverDeps): void {
  const { db } = deps;

  serve(recoverWebhookEndpoint, async ({ tenant, params, body }) =>
    recoveryAnswer(await recoverEndpoint(deps, tenant, params.id, new Date(body.since))),
  );
  serve(getWebhookRecovery, async ({ tenant, params }) => {
    if ((await findEndpoint(db, tenant, params.id)) === undefined) throw new BusinessError('NOT_FOUND');
    const recovery = await latestRecovery(db, params.id);
    return { recovery: recovery === undefined ? null : recoveryAnswer(recovery) };
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
