import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import pg from 'pg';
import type { ControlPlane } from './control-plane';
import type { Merchant, MerchantAccess, RunningSystem } from './system';

export interface OwnAccess extends MerchantAccess {
  readonly apiKeyId: string;
  readonly receivers: readonly { readonly id: string; readonly paymentMethod: string; readonly msisdn: string }[];
}
/** With the ids by which the control plane changes what belongs to it. */
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

/** The services that keep a copy of the directory, by the names of their schemas. */
export const COPIES = ['intent_api', 'checkout_api', 'sms_ingest', 'reconciler', 'webhook_dispatcher'] as const;

/**
 * A merchant of a test's own, with an API key, a phone and a wallet per method in both environments, known to every service when this
 * resolves. What is switched off in it disturbs nobody else.
 */
export async function ownMerchant(system: RunningSystem, controlPlane: ControlPlane): Promise<OwnMerchant> {
  const [drawn] = (JSON.parse(await controlPlane.program('make-seed', [])) as Seed).merchants;
  if (drawn === undefined) throw new Error('make-seed has made no merchant');
  const seed = { ...drawn, name: `Shop ${randomUUID().slice(0, 8)}` };
  const answer = await controlPlane.program('seed', ['-'], JSON.stringify({ merchants: [seed] }));
  const [made] = (JSON.parse(answer) as Seeded).merchants;
  if (made === undefined) throw new Error('seed has made no merchant');
  await everyCopyIsWhole(system, made.id);
  return {
    ...{ id: made.id, name: seed.name, owner: { id: made.ownerId, ...seed.owner } },
    sandbox: { ...seed.sandbox, ...made.sandbox },
    live: { ...seed.live, ...made.live },
  };
}

/** Resolves when every copy has what dashboard-api has, of one merchant or of all, in its newest version and deletions included. */
export async function everyCopyIsWhole(system: RunningSystem, merchantId?: string): Promise<void> {
  const client = new pg.Client({ connectionString: system.postgresUrl });
  await client.connect();
  try {
    for (const schema of COPIES) {
      const isWhole = async () => (await client.query(missingIn(schema), [merchantId ?? null])).rowCount === 0;
      await eventually(isWhole, `${schema} has every fact`, { timeoutMs: 30_000 });
    }
  } finally {
    await client.end();
  }
}

/** Facts that a copy lacks or has in another version. Which kinds it is to have is seen from what it has asked for. */
function missingIn(schema: (typeof COPIES)[number]): string {
  return `
    with owned (kind, merchant_id, id, version, deleted_at) as (
      select 'merchant', id, id, version, deleted_at from dashboard_api.merchants
      union all select 'api_key', merchant_id, id, version, deleted_at from dashboard_api.api_keys
      union all select 'receiver_account', merchant_id, id, version, deleted_at from dashboard_api.receiver_accounts
      union all select 'device', merchant_id, id, version, deleted_at from dashboard_api.devices)
    select from owned
      join ${schema}.directory_resends kept using (kind)
      left join ${schema}.directory_facts fact using (kind, id)
     where ($1::uuid is null or owned.merchant_id = $1)
       and (fact.version, fact.deleted) is distinct from (owned.version, owned.deleted_at is not null)`;
}
