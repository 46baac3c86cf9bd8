import { tenantFactsSchema, type Tenant, type TenantFacts } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import type { Logger } from '@pay/runtime';

export interface TenantFactsDeps {
  readonly client: Pick<ServiceClient, 'request'>;
  readonly log: Logger;
  readonly onSilence: () => void;
}

/** The owner's current facts of a tenant. Undefined if the owner does not respond. */
export type AskTenantFacts = (tenant: Tenant) => Promise<TenantFacts | undefined>;

export function tenantFactsClient({ client, log, onSilence }: TenantFactsDeps): AskTenantFacts {
  let isSilent = false;
  return async ({ merchantId, environment }) => {
    try {
      const path = `/internal/v1/tenant-facts/${merchantId}/${environment}`;
      const facts = await client.request('GET', path, { schema: tenantFactsSchema });
      if (isSilent) log.info('switch_off.owner_answered');
      isSilent = false;
      return facts;
    } catch (error) {
      if (!(error instanceof ServiceCallFailed)) throw error;
      onSilence();
      if (!isSilent) log.warn({ err: error }, 'switch_off.owner_not_reached');
      isSilent = true;
      return undefined;
    }
  };
}
