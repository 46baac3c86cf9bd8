import { type InternalShopAnswer, type InternalShopRequest, type Tenant, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { Limiter } from '@pay/rate-limits';
import type { SecretBox } from '@pay/runtime';
import type { WebhookClient, WebhookResponse } from '../adapters/webhook-client';
import { findEndpoint } from '../endpoints/endpoint-repository';
import { hostOf } from '../domain/endpoint-url';
import { shopRequestBody } from '../domain/shop-request';
import { signRequest } from '../adapters/sign-request';
import type { ServiceDeps } from '../service-deps';

export interface ShopRequestDeps extends Pick<ServiceDeps, 'now' | 'newId'> {
  readonly db: Queryable;
  readonly client: Pick<WebhookClient, 'post' | 'get'>;
  readonly secrets: Pick<SecretBox, 'open'>;
  /** Per merchant and host. */
  readonly shopRequests: Pick<Limiter, 'take'>;
  /** Returns a random secret that belongs to no endpoint. */
  readonly newSecret: () => string;
}

/** Uses the address guard, deadline and limits of webhooks. */
export async function sendShopRequest(
  deps: ShopRequestDeps,
  tenant: Tenant,
  request: InternalShopRequest,
): Promise<InternalShopAnswer> {
  if (request.kind === 'redirect') {
    limit(deps, tenant, request.url);
    return answerOf(await deps.client.get({ url: request.url, environment: tenant.environment }));
  }
  const endpoint = await findEndpoint(deps.db, tenant, request.endpointId);
  if (endpoint === undefined) throw new BusinessError('NOT_FOUND');
  limit(deps, tenant, endpoint.url);
  const now = deps.now();
  const id = deps.newId();
  const { eventType, body } = shopRequestBody(request, now);
  const signed = { id, eventType, idempotencyKey: `${eventType}:${id}`, attempt: 1, body };
  const secret =
    request.kind === 'forged_signature' ? deps.newSecret() : deps.secrets.open(endpoint.id, endpoint.sealedSecret);
  const headers = signRequest(signed, [secret], now);
  const { url, environment } = endpoint;
  return answerOf(await deps.client.post({ url, environment, headers, body, onFreshSocket: true }));
}

function limit({ shopRequests }: ShopRequestDeps, { merchantId }: Tenant, url: string): void {
  const { allowed, retryAfterMs } = shopRequests.take(`${merchantId} ${hostOf(url)}`);
  if (allowed) return;
  throw new BusinessError('RATE_LIMITED', undefined, Math.ceil(retryAfterMs / 1_000));
}

function answerOf({ outcome, httpStatus, response }: WebhookResponse): InternalShopAnswer {
  return { outcome, httpStatus: httpStatus ?? null, response: response ?? null };
}
