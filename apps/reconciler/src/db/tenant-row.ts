import type { Environment, Tenant } from '@pay/contracts';

/** The columns that name the tenant of a row. */
export interface TenantRow {
  readonly merchant_id: string;
  readonly environment: Environment;
}

export function toTenant({ merchant_id, environment }: TenantRow): Tenant {
  return { merchantId: merchant_id, environment };
}
