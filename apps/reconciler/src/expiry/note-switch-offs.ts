import { environmentSchema, type Tenant } from '@pay/contracts';
import type { StoredFact } from '@pay/directory';
import type { Transaction } from '@pay/persistence';
import { insertSwitchOffs } from './switch-off-repository';

/**
 * Intents made or recorded by older facts can still come in while the first look goes by: intent-api and other
 * processes keep facts for up to a second, and a transaction may be under way.
 */
export const SECOND_LOOK_MS = 10_000;

/**
 * Notes, in the transaction of the facts, whose pending intents they may have made unpayable. Any change of a merchant
 * counts: it may have taken a method away.
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
