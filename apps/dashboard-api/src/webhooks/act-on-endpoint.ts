import { endpointResponseSchema, type EndpointResponse, type Tenant, BusinessError } from '@pay/contracts';
import { ValidationError, type Session } from '@pay/http';
import type { ManageDeps } from '../changes/on-behalf-of';
import { recordCall } from '../changes/record-action';
import { askDispatcher, tenantOfWebhook, type WebhookOwnerDeps } from '../clients/webhook-owner';

export type ActOnEndpointDeps = ManageDeps & WebhookOwnerDeps;

export interface EndpointAction<T> {
  /** In the past tense, without the prefix `webhook_endpoint.`. Example: `rotated`. */
  readonly done: string;
  /** Without secrets. */
  readonly asked?: object;
  readonly act: (tenant: Tenant) => Promise<T>;
  readonly after: (result: T) => object;
}

/**
 * The audit log contains the request before webhook-dispatcher receives it, and its result afterwards, so a lost
 * response loses no entry.
 */
export async function actOnEndpoint<T>(
  deps: ActOnEndpointDeps,
  session: Session,
  id: string,
  { done, asked = {}, act, after }: EndpointAction<T>,
): Promise<T> {
  const { merchantId } = session;
  const tenant = await tenantOfWebhook(deps, merchantId, 'endpoints', id);
  const before = endpointFacts(
    await askDispatcher(deps.webhookDispatcher, tenant, 'GET', `/endpoints/${id}`, endpointResponseSchema),
  );
  const entry = { subjectKind: 'webhook_endpoint', subjectId: id, ...tenant, before };
  const record = (action: string, afterwards: object) =>
    recordCall(deps, session, { ...entry, action: `webhook_endpoint.${action}`, after: afterwards });
  await record(`${done}_asked`, asked);
  try {
    const result = await act(tenant);
    await record(done, after(result));
    return result;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== undefined) await record(`${done}_refused`, refusal);
    throw error;
  }
}

/** Undefined if the request may have had an effect. */
export function refusalOf(error: unknown): object | undefined {
  if (error instanceof ValidationError) return { messages: error.messages };
  return error instanceof BusinessError && error.code !== 'SERVICE_UNAVAILABLE' ? { code: error.code } : undefined;
}

export function endpointFacts(endpoint: EndpointResponse): object {
  const { url, eventTypes, isVerified, isActive, disabledReason } = endpoint;
  return { url, eventTypes, isVerified, isActive, disabledReason, overlapEndsAt: endpoint.secretOverlapEndsAt };
}
