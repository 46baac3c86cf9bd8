import type { Tenant } from '@pay/contracts';

/** A name within a tenant: a reference key or a TrxID. */
export interface TenantName {
  readonly tenant: Tenant;
  readonly name: string;
}

/** The three arrays that `unnest` turns into rows of (merchant_id, environment, name). */
export function tenantArrays(names: readonly TenantName[]): [string[], string[], string[]] {
  return [
    names.map(({ tenant }) => tenant.merchantId),
    names.map(({ tenant }) => tenant.environment),
    names.map(({ name }) => name),
  ];
}
