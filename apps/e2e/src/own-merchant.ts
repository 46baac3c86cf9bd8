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
  await everyCopyHas(system, made.id);
  return {
    ...{ id: made.id, name: seed.name, owner: { id: made.ownerId, ...seed.owner } },
    sandbox: { ...seed.sandbox, ...made.sandbox },
    live: { ...seed.live, ...made.live },
  };
}

/** What dashboard-api has of the merchant is in every copy, in its newest version; each service keeps some kinds only. */
async function everyCopyHas(system: RunningSystem, merchantId: string): Promise<void> {
  const client = new pg.Client({ connectionString: system.postgresUrl });
  await client.connect();
  try {
    for (const schema of COPIES) {
      await eventually(async () => {
        const { rowCount } = await client.query(missingIn(schema), [merchantId]);
        return rowCount === 0;
      }, `${schema} has every fact of merchant ${merchantId}`);
    }
  } finally {
    await client.end();
  }
}

function missingIn(schema: (typeof COPIES)[number]): string {
  return `
    with owned (kind, id, version) as (
      select 'merchant', id, version from dashboard_api.merchants where id = $1
      union all select 'api_key', id, version from dashboard_api.api_keys where merchant_id = $1
      union all select 'receiver_account', id, version from dashboard_api.receiver_accounts where merchant_id = $1
      union all select 'device', id, version from dashboard_api.devices where merchant_id = $1)
    select from owned
      join ${schema}.directory_resends kept using (kind)
      left join ${schema}.directory_facts fact using (kind, id)
     where fact.version is distinct from owned.version`;
}
