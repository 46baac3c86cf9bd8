import { environmentSchema, type Tenant } from '@pay/contracts';
import type { StoredFact } from '@pay/directory';
import type { Transaction } from '@pay/persistence';
import { insertSwitchOffs, SECOND_LOOK_MS } from '../matching/switch-off-repository';

/**
 * Records, in the transaction of the facts, the tenants whose pending intents may have become unpayable. Any merchant
 * change counts, because it may disable a method.
 */
export function noteSwitchOffs(tx: Transaction, facts: readonly StoredFact[]): Promise<void> {
  const tenants = new Map(facts.flatMap(tenantsToLookAt).map((tenant) => [JSON.stringify(tenant), { tenant }]));
  insertSwitchOffs(tx, [...tenants.values()], 0);
  insertSwitchOffs(tx, [...tenants.values()], SECOND_LOOK_MS);
  return Promise.resolve();
}

function tenantsToLookAt({ kind, deleted, merchant_id: merchantId, environment, data }: StoredFact): Tenant[] {
  if (kind === 'merchant') return environmentSchema.options.map((each) => ({ merchantId, environment: each }));
  const isOff = deleted || ('isActive' in data && !data.isActive);
  if (kind !== 'receiver_account' || !isOff) return [];
  return [{ merchantId, environment: environmentSchema.parse(environment) }];
}
