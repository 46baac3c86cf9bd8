import { internalIntentSchema, type ErrorCode, type PaymentMethod, BusinessError } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import type { IntentCopy } from '../domain/intent-copy';

/** Undefined if there is no such intent. Throws if intent-api does not respond. */
export async function askIntent(client: Pick<ServiceClient, 'request'>, id: string): Promise<IntentCopy | undefined> {
  try {
    return await client.request('GET', `/internal/v1/intents/${id}`, { schema: internalIntentSchema });
  } catch (error) {
    if (error instanceof ServiceCallFailed && error.status === 404) return undefined;
    throw error;
  }
}

const REFUSALS: readonly ErrorCode[] = [
  'METHOD_FIXED',
  'INTENT_EXPIRED',
  'INTENT_NOT_PENDING',
  'RECEIVER_ACCOUNT_NOT_CONFIGURED',
];

/** Errors of intent-api are passed on to the customer. */
export async function askMethod(
  client: Pick<ServiceClient, 'request'>,
  id: string,
  paymentMethod: PaymentMethod,
): Promise<IntentCopy> {
  try {
    return await client.request('POST', `/internal/v1/intents/${id}/method`, {
      body: { paymentMethod },
      schema: internalIntentSchema,
      idempotent: true,
    });
  } catch (error) {
    const refusal = error instanceof ServiceCallFailed ? REFUSALS.find((code) => code === error.code) : undefined;
    throw refusal === undefined ? error : new BusinessError(refusal);
  }
}
