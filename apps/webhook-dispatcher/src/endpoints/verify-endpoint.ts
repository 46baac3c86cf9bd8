import { BusinessError, REFUSAL_DETAILS, tenantKey, type Tenant } from '@pay/contracts';
import { retryOnConflict } from '@pay/persistence';
import type { Limiter } from '@pay/rate-limits';
import { onceAtATime, type SecretBox } from '@pay/runtime';
import type { WebhookClient } from '../adapters/webhook-client';
import { lockEndpoint, markVerified } from './endpoint-change-repository';
import { findEndpoint, type Endpoint } from './endpoint-repository';
import { beginRecovery } from './recovery-request-repository';
import { challengeBody, problemOfAnswer, VERIFICATION_EVENT } from '../domain/challenge';
import { hostOf } from '../domain/endpoint-url';
import { longestAgo } from '../domain/recovery';
import { signRequest } from '../adapters/sign-request';
import type { ServiceDeps } from '../service-deps';

export interface VerifyDeps extends Pick<ServiceDeps, 'db' | 'now' | 'newId'> {
  readonly client: Pick<WebhookClient, 'post'>;
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly newChallenge: () => string;
  readonly wakeRecoveries: () => void;
  /** Per merchant and host, because a challenge is a request to a host that has not agreed to receive any. */
  readonly verifications: Pick<Limiter, 'take'>;
}

/** Concurrent callers share one challenge, so that verification cannot be used to flood a server. */
export function endpointVerifier(deps: VerifyDeps): (tenant: Tenant, id: string) => Promise<Endpoint> {
  const verify = onceAtATime(
    ({ tenant, id }: { tenant: Tenant; id: string }) => verifyEndpoint(deps, tenant, id),
    ({ tenant, id }) => `${tenantKey(tenant)} ${id}`,
  );
  return (tenant, id) => verify({ tenant, id });
}

/** A job makes held deliveries due afterwards. If the URL changed meanwhile, the result is discarded. */
async function verifyEndpoint(deps: VerifyDeps, tenant: Tenant, id: string): Promise<Endpoint> {
  const asked = await findEndpoint(deps.db, tenant, id);
  if (asked === undefined) throw new BusinessError('NOT_FOUND');
  const { allowed, retryAfterMs } = deps.verifications.take(`${tenant.merchantId} ${hostOf(asked.url)}`);
  if (!allowed) {
    throw new BusinessError('RATE_LIMITED', undefined, Math.ceil(retryAfterMs / 1_000));
  }
  const problem = await challenge(deps, asked);
  if (problem !== undefined) throw new BusinessError('ENDPOINT_VERIFICATION_FAILED', problem);

  const verified = await retryOnConflict(deps.db, async (tx) => {
    const endpoint = await lockEndpoint(tx, tenant, id);
    if (endpoint === undefined) throw new BusinessError('NOT_FOUND');
    if (endpoint.url !== asked.url) {
      throw new BusinessError('ENDPOINT_VERIFICATION_FAILED', REFUSAL_DETAILS.endpointMoved);
    }
    await markVerified(tx, id);
    if (!endpoint.isVerified && endpoint.isActive) {
      const since = longestAgo(deps.now());
      await beginRecovery(tx, { id: deps.newId(), endpointId: id, kind: 'VERIFIED', since });
    }
    return findEndpoint(tx, tenant, id);
  });
  deps.wakeRecoveries();
  if (verified === undefined) throw new BusinessError('NOT_FOUND');
  return verified;
}

async function challenge(deps: VerifyDeps, endpoint: Endpoint): Promise<string | undefined> {
  const { id: endpointId, url, environment, sealedSecret, nextSealedSecret } = endpoint;
  const now = deps.now();
  const text = deps.newChallenge();
  const body = challengeBody(environment, now, text);
  const id = deps.newId();
  const request = {
    id,
    eventType: VERIFICATION_EVENT,
    idempotencyKey: `${VERIFICATION_EVENT}:${id}`,
    attempt: 1,
    body,
  };
  const secrets = [sealedSecret, nextSealedSecret].flatMap((sealed) =>
    sealed === null ? [] : [deps.secrets.open(endpointId, sealed)],
  );
  const headers = signRequest(request, secrets, now);
  const answer = await deps.client.post({ url, environment, headers, body, onFreshSocket: true });
  return problemOfAnswer(answer, text);
}
