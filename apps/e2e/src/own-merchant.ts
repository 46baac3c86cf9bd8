import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import type { ControlPlane } from './control-plane';
import { ServiceDatabases } from './service-databases';
import type { Merchant, MerchantAccess, RunningSystem } from './system';

export interface OwnAccess extends MerchantAccess {
  readonly apiKeyId: string;
  readonly receivers: readonly { readonly id: string; readonly paymentMethod: string; readonly msisdn: string }[];
}
/** Contains the ids that commands of the control plane need. */
export interface OwnMerchant extends Merchant {
  readonly owner: { readonly id: string; readonly email: string; readonly password: string };
  readonly sandbox: OwnAccess;
  readonly live: OwnAccess;
}

interface Seed {
  readonly merchants: readonly (Merchant & { owner: { email: string; password: string } })[];
}
interface Seeded {
  readonly merchants: readonly (Record<'sandbox' | 'live', OwnAccess> & { id: string; ownerId: string })[];
}

/** Services with a directory copy. */
export const COPIES = ['intent-api', 'checkout-api', 'sms-ingest', 'reconciler', 'webhook-dispatcher'] as const;

/**
 * A merchant of a single test with an API key, a phone and a wallet per method in both environments. Resolves when all
 * services have copied it.
 */
export async function ownMerchant(system: RunningSystem, controlPlane: ControlPlane): Promise<OwnMerchant> {
  const [drawn] = (JSON.parse(await controlPlane.program('make-seed', [])) as Seed).merchants;
  if (drawn === undefined) throw new Error('make-seed created no merchant');
  const seed = { ...drawn, name: `Shop ${randomUUID().slice(0, 8)}` };
  const answer = await controlPlane.program('seed', ['-'], JSON.stringify({ merchants: [seed] }));
  const [made] = (JSON.parse(answer) as Seeded).merchants;
  if (made === undefined) throw new Error('seed created no merchant');
  await everyCopyIsWhole(system, made.id);
  return {
    id: made.id,
    name: seed.name,
    owner: { id: made.ownerId, ...seed.owner },
    sandbox: { ...seed.sandbox, ...made.sandbox },
    live: { ...seed.live, ...made.live },
  };
}

/** Resolves when every copy has the newest version of all facts, of one merchant or of all, including deletions. */
export async function everyCopyIsWhole(system: RunningSystem, merchantId?: string): Promise<void> {
  const databases = new ServiceDatabases(system);
  try {
    for (const service of COPIES) {
      const isWhole = async () => {
        const { rows: owned } = await databases.query('dashboard-api', OWNED, [merchantId ?? null]);
        return (await databases.query(service, missingIn(service), [JSON.stringify(owned)])).rowCount === 0;
      };
      await eventually(isWhole, `${service} has every fact`, { timeoutMs: 30_000 });
    }
  } finally {
    await databases.close();
  }
}

const OWNED = `
  with facts (kind, merchant_id, id, version, deleted) as (
    select 'merchant', id, id, version, deleted_at is not null from dashboard_api.merchants
    union all select 'api_key', merchant_id, id, version, deleted_at is not null from dashboard_api.api_keys
    union all select 'receiver_account', merchant_id, id, version, deleted_at is not null from dashboard_api.receiver_accounts
    union all select 'device', merchant_id, id, version, deleted_at is not null from dashboard_api.devices)
  select kind, id, version, deleted from facts where ($1::uuid is null or merchant_id = $1)`;

/** Facts that a copy lacks or has in another version. Only kinds that the copy has requested. */
function missingIn(service: (typeof COPIES)[number]): string {
  const schema = service.replace('-', '_');
  return `
    select from jsonb_to_recordset($1) as owned (kind text, id uuid, version bigint, deleted boolean)
      join ${schema}.directory_resends kept using (kind)
      left join ${schema}.directory_facts fact using (kind, id)
     where (fact.version, fact.deleted) is distinct from (owned.version, owned.deleted)`;
}
