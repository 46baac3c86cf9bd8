import {
  finishSecretRotation,
  getWebhookRecovery,
  recoverWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  type RecoveryResponse,
} from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { ApiError, callerOf, operationServer, type CredentialChecks } from '@pay/http';
import type { Express } from 'express';
import { findEndpoint } from './endpoint-repository';
import { latestRecovery, type Recovery } from '../recovery/recovery-repository';
import { recoverEndpoint, type RecoverDeps } from '../recovery/recover-endpoint';
import { finishRotation, rotateSecret, type RotateDeps } from './rotate-secret';
import { testEndpoint, type AskDeps } from './test-endpoint';
import { deliveryAnswer } from '../delivery/delivery-answer';
import { endpointAnswer } from './endpoint-answer';

export interface EndpointActionsDeps extends AskDeps, RecoverDeps, RotateDeps {
  readonly db: AskDeps['db'];
  readonly directory: Pick<Directory, 'findApiKey'>;
  readonly perKey: NonNullable<CredentialChecks['guard']>;
}

/** What a merchant can have done with an endpoint beside changing it. */
export function mountEndpointActions(app: Express, deps: EndpointActionsDeps): void {
  const { db, directory, perKey } = deps;
  const serve = operationServer(app, { findApiKey: directory.findApiKey, guard: perKey });

  serve(rotateWebhookSecret, async ({ params, body, res }) => ({
    status: 200,
    body: endpointAnswer(await rotateSecret(deps, callerOf(res), params.id, body)),
  }));
  serve(finishSecretRotation, async ({ params, res }) => ({
    status: 200,
    body: endpointAnswer(await finishRotation(deps, callerOf(res), params.id)),
  }));
  serve(testWebhookEndpoint, async ({ params, res }) => ({
    status: 200,
    body: deliveryAnswer(await testEndpoint(deps, callerOf(res), params.id)),
  }));
  serve(recoverWebhookEndpoint, async ({ params, body, res }) => ({
    status: 200,
    body: recoveryAnswer(await recoverEndpoint(deps, callerOf(res), params.id, new Date(body.since))),
  }));
  serve(getWebhookRecovery, async ({ params, res }) => {
    if ((await findEndpoint(db, callerOf(res), params.id)) === undefined) throw new ApiError('NOT_FOUND');
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
