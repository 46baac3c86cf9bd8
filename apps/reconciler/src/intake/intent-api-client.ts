import { internalIntentSchema, type InternalIntent, BusinessError } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';

/**
 * The owner's committed state of an intent. Throws NOT_FOUND if it does not exist, SERVICE_UNAVAILABLE without a
 * response.
 */
export async function fetchIntent(client: Pick<ServiceClient, 'request'>, intentId: string): Promise<InternalIntent> {
  try {
    return await client.request('GET', `/internal/v1/intents/${intentId}`, { schema: internalIntentSchema });
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    throw new BusinessError(error.status === 404 ? 'NOT_FOUND' : 'SERVICE_UNAVAILABLE');
  }
}
