import { internalIntentSchema } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import type { IntentCopy } from '../domain/intent-copy';

/** The committed state of an intent, or undefined when there is none. Throws when intent-api cannot answer. */
export async function askIntent(client: Pick<ServiceClient, 'request'>, id: string): Promise<IntentCopy | undefined> {
  try {
    return await client.request('GET', `/internal/v1/intents/${id}`, { schema: internalIntentSchema });
  } catch (error) {
    if (error instanceof ServiceCallFailed && error.status === 404) return undefined;
    throw error;
  }
}
