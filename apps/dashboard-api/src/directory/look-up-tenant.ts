import type { Tenant, TenantFacts } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { merchants, receiverAccounts } from '../db/tables';
import { merchantFact, receiverAccountFact } from '../domain/facts';

/** Each fact with its version: the caller keeps the newer of this one and its own. */
export async function lookUpTenant(db: Queryable, { merchantId, environment }: Tenant): Promise<TenantFacts> {
  const [merchant, accounts] = await Promise.all([
    merchants.find(db, merchantId),
    receiverAccounts.listBy(db, 'ofTenant', [merchantId, environment]),
  ]);
  return { merchant: merchant ? merchantFact(merchant) : null, receiverAccounts: accounts.map(receiverAccountFact) };
}
