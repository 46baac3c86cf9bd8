import { endpointResponseSchema, type EndpointResponse, type Tenant } from '@pay/contracts';
import type { Session } from '@pay/http';
import type { ManageDeps } from '../changes/on-behalf-of';
import { recordCall, type RecordedCall } from '../changes/record-call';
import { askDispatcher, tenantOfWebhook, type WebhookOwnerDeps } from '../clients/webhook-owner';

export type ActOnEndpointDeps = ManageDeps & WebhookOwnerDeps;

export interface EndpointAction<T> extends Pick<RecordedCall<T>, 'asked' | 'after'> {
  /** In the past tense, without the prefix `webhook_endpoint.`. Example: `rotated`. */
  readonly done: string;
  readonly act: (tenant: Tenant) => Promise<T>;
}

export async function actOnEndpoint<T>(
  deps: ActOnEndpointDeps,
  session: Session,
  id: string,
  { done, act, ...recorded }: EndpointAction<T>,
): Promise<T> {
  const tenant = await tenantOfWebhook(deps, session.merchantId, 'endpoints', id);
  const before = endpointFacts(
    await askDispatcher(deps.webhookDispatcher, tenant, 'GET', `/endpoints/${id}`, endpointResponseSchema),
  );
  const entry = { action: `webhook_endpoint.${done}`, subjectId: id, ...tenant, before };
  return recordCall(deps, session, { ...entry, ...recorded, call: () => act(tenant) });
}

export function endpointFacts(endpoint: EndpointResponse): object {
  const { url, eventTypes, isVerified, isActive, disabledReason } = endpoint;
  return { url, eventTypes, isVerified, isActive, disabledReason, overlapEndsAt: endpoint.secretOverlapEndsAt };
}
