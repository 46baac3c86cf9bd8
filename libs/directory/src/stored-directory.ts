import { tenantKey, type DeviceFact, type MerchantFact, type ReceiverAccountFact, type Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findMerchant, findOfTenant } from './copy';
import type { Directory } from './directory';

/** For command-line programs: without a broker and without a cache. */
export function storedDirectory(db: Queryable): Pick<Directory, 'devices' | 'merchant' | 'receiverAccounts'> {
  const known = new Map<string, Promise<unknown>>();
  function once<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
    const loading = known.get(key) ?? load();
    known.set(key, loading);
    // The value of a key always has the same type.
    return loading as Promise<Value>;
  }
  const ofTenant = (kind: string, tenant: Tenant) => `${kind} ${tenantKey(tenant)}`;
  return {
    devices: (tenant) => once<DeviceFact[]>(ofTenant('device', tenant), () => findOfTenant(db, 'device', tenant)),
    receiverAccounts: (tenant) =>
      once<ReceiverAccountFact[]>(ofTenant('account', tenant), () => findOfTenant(db, 'receiver_account', tenant)),
    async merchant(id) {
      const fact = await once<MerchantFact | undefined>(`merchant ${id}`, () => findMerchant(db, id));
      return fact?.deleted === true ? undefined : fact;
    },
  };
}
