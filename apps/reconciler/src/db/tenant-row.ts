import type { Tenant } from '@pay/contracts';

/** The tenant of a row, under the names of a Tenant. */
export const TENANT_COLUMNS = `merchant_id as "merchantId", environment`;

export function toTenant({ merchantId, environment }: Tenant): Tenant {
  return { merchantId, environment };
}
