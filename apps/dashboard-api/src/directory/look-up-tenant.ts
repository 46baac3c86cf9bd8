import type { Tenant, TenantFacts } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { merchants, receiverAccounts } from '../db/tables';
import { merchantFact, receiverAccountFact } from '../domain/facts';

/** Each fact has its version, so that the requesting service keeps the newer one. */
export async function lookUpTenant(db: Queryable, { merchantId, environment }: Tenant): Promise<TenantFacts> {
  const [merchant, accounts] = await Promise.all([
    merchants.find(db, merchantId),
    receiverAccounts.listBy(db, 'ofTenant', [merchantId, environment]),
  ]);
  return { merchant: merchant ? merchantFact(merchant) : null, receiverAccounts: accounts.map(receiverAccountFact) };
}
