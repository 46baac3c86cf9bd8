import { webhookOwnerSchema, type Tenant } from '@pay/contracts';
import type { z } from 'zod';
import { answerOf } from './answer-of';
import type { Peer, Peers } from './service-clients';

export type WebhookOwnerDeps = Pick<Peers, 'webhookDispatcher' | 'shops'>;

type Kind = 'endpoints' | 'deliveries';
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Throws NOT_FOUND for endpoints and deliveries of other merchants. */
export async function tenantOfWebhook(
  { webhookDispatcher }: WebhookOwnerDeps,
  merchantId: string,
  kind: Kind,
  id: string,
): Promise<Tenant> {
  const path = `/internal/v1/webhook-owners/${kind}/${id}?merchantId=${merchantId}`;
  const { environment } = await answerOf(webhookDispatcher.request('GET', path, { schema: webhookOwnerSchema }));
  return { merchantId, environment };
}

/** `path` is the part of the path after `/v1/webhooks`. */
export function askDispatcher<T>(
  client: Peer,
  tenant: Tenant,
  ...[method, path, schema, body]: [Method, string, z.ZodType<T>, unknown?]
): Promise<T> {
  const request = { schema, tenant, ...(body === undefined ? {} : { body }) };
  return answerOf(client.request(method, `/internal/v1/webhooks${path}`, request));
}
