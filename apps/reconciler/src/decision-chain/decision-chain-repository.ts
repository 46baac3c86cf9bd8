import type { Tenant } from '@pay/contracts';
import {
  arraysOf,
  enqueuedRows,
  FIRST_ID,
  firstRow,
  mapped,
  rows,
  statement,
  type Transaction,
} from '@pay/persistence';
import type { Signed } from './decision-chain';
import { enqueuedChanges } from '../db/enqueued-changes';
import { TENANT_COLUMNS, toTenant } from '../db/tenant-row';

/** The next tenants, in id order, that have unsealed decisions. */
export const nextUnsealedTenants = rows<Tenant, [after: Tenant | undefined, limit: number]>(
  'next-unsealed-tenants',
  // A loose index scan from tenant to tenant, independent of the number of decisions.
  `with recursive unsealed as (
     (select merchant_id, environment from decisions where position is null and (merchant_id, environment) > ($1::uuid, $2::text)
      order by merchant_id, environment limit 1)
     union all
     select next.merchant_id, next.environment from unsealed cross join lateral (
       select d.merchant_id, d.environment from decisions d
       where d.position is null and (d.merchant_id, d.environment) > (unsealed.merchant_id, unsealed.environment)
       order by d.merchant_id, d.environment limit 1) next)
   select merchant_id as "merchantId", environment from unsealed limit $3`,
  (after, limit) => [after?.merchantId ?? FIRST_ID, after?.environment ?? '', limit],
);

/** When the oldest unsealed decision was made; null if there is none. */
export const oldestUnsealed = firstRow<{ readonly decidedAt: Date | null }>(
  'oldest-unsealed-decision',
  // One look-up per tenant, as above. Ids are UUIDs v7: the lowest one of a tenant is its oldest decision.
  `with recursive unsealed as (
     (select merchant_id, environment, decided_at from decisions where position is null
      order by merchant_id, environment, id limit 1)
     union all
     select next.* from unsealed cross join lateral (
       select d.merchant_id, d.environment, d.decided_at from decisions d
       where d.position is null and (d.merchant_id, d.environment) > (unsealed.merchant_id, unsealed.environment)
       order by d.merchant_id, d.environment, d.id limit 1) next)
   select min(decided_at) as "decidedAt" from unsealed`,
);

function tenantsAsArrays(tenants: readonly Tenant[]): unknown[] {
  return arraysOf(tenants, 'merchantId', 'environment');
}

/** The end of a tenant's chain. */
export interface ChainHead {
  readonly position: bigint;
  /** In hex; null while nothing is sealed. */
  readonly link: string | null;
  readonly sealedAt: Date | null;
}

interface HeadRow extends Omit<ChainHead, 'position'> {
  readonly position: string;
}

const HEAD_COLUMNS = `position, encode(link, 'hex') as link, sealed_at as "sealedAt"`;
// In a fixed order, so that transactions that start the same chains cannot deadlock.
const BEGIN = statement(
  'begin-decision-chains',
  `insert into decision_chains (merchant_id, environment)
   select merchant_id, environment from unnest($1::uuid[], $2::text[]) as given (merchant_id, environment)
   order by merchant_id, environment on conflict (merchant_id, environment) do nothing`,
);
const HOLD = statement(
  'hold-decision-chains',
  `select held.* from unnest($1::uuid[], $2::text[]) as given (merchant_id, environment)
   cross join lateral (
     select ${TENANT_COLUMNS}, ${HEAD_COLUMNS} from decision_chains chain
     where chain.merchant_id = given.merchant_id and chain.environment = given.environment
     for update skip locked) as held`,
);

export interface HeldChain {
  readonly tenant: Tenant;
  readonly head: ChainHead;
}

/** The heads of chains, locked until the end of the transaction; heads that another process has locked are omitted. */
export async function holdChains(tx: Transaction, tenants: readonly Tenant[]): Promise<HeldChain[]> {
  const values = tenantsAsArrays(tenants);
  tx.enqueue(BEGIN, values);
  const rows = await tx.query<Tenant & HeadRow>(HOLD, values);
  return rows.map((row) => ({ tenant: toTenant(row), head: toHead(row) }));
}

export const findChain = mapped(toHead).firstRow(
  'find-decision-chain',
  `select ${HEAD_COLUMNS} from decision_chains where merchant_id = $1 and environment = $2`,
  ({ merchantId, environment }: Tenant) => [merchantId, environment],
);

function toHead(row: HeadRow): ChainHead {
  return { position: BigInt(row.position), link: row.link, sealedAt: row.sealedAt };
}

export interface UnsealedDecision {
  readonly id: string;
  readonly tenant: Tenant;
  readonly mac: string;
}

/** In id order, limited per tenant. */
export const unsealedDecisions = mapped(toUnsealed).rows(
  'unsealed-decisions',
  `select unsealed.* from unnest($1::uuid[], $2::text[]) as given (merchant_id, environment)
   cross join lateral (
     select d.id, ${TENANT_COLUMNS}, encode(d.mac, 'hex') as mac from decisions d
     where d.merchant_id = given.merchant_id and d.environment = given.environment and d.position is null
     order by d.id limit $3) as unsealed
   order by unsealed."merchantId", unsealed.environment, unsealed.id`,
  (tenants: readonly Tenant[], limit: number) => [...tenantsAsArrays(tenants), limit],
);

function toUnsealed({ id, mac, ...tenant }: Omit<UnsealedDecision, 'tenant'> & Tenant): UnsealedDecision {
  return { id, tenant, mac };
}

// Hides the index of unsealed decisions from the planner: it keeps dead entries until vacuum, and a plan made while it
// was empty would read all of them for every page.
const seal = enqueuedChanges<SealedDecision>(
  'seal-decisions',
  'decisions',
  `update decisions d set position = given.position, link_key_id = given.key_id, link = decode(given.link, 'hex')
   from jsonb_to_recordset($2::jsonb) as given (id uuid, position bigint, key_id text, link text)
   where d.id = any(array[given.id]) and coalesce(d.position, 0) = 0`,
  ({ id }) => id,
  ({ id, position, link }) => ({ id, position: position.toString(), key_id: link.keyId, link: link.mac }),
);
const moveHeads = enqueuedRows(
  'move-decision-chains',
  `update decision_chains chain set position = given.position, link = decode(given.link, 'hex'), sealed_at = $5
   from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[]) as given (merchant_id, environment, position, link)
   where chain.merchant_id = given.merchant_id and chain.environment = given.environment`,
  (lasts: readonly SealedDecision[], now: Date) => [
    ...tenantsAsArrays(lasts.map(({ tenant }) => tenant)),
    lasts.map(({ position }) => position.toString()),
    lasts.map(({ link }) => link.mac),
    now,
  ],
);

export interface SealedDecision {
  readonly id: string;
  readonly tenant: Tenant;
  readonly position: bigint;
  readonly link: Signed;
}

/** Appends decisions to the locked chains. `lasts` are the new heads. */
export function sealAtEnds(
  tx: Transaction,
  sealed: readonly SealedDecision[],
  lasts: readonly SealedDecision[],
  now: Date,
): void {
  seal(tx, sealed);
  moveHeads(tx, lasts, now);
}

/** Chains that were sealed at or after a time, with their heads. Reads one row per tenant. */
export const chainsSealedSince = mapped((row: HeadRow & Tenant) => ({ ...toTenant(row), ...toHead(row) })).rows<
  [since: Date]
>('chains-sealed-since', `select ${TENANT_COLUMNS}, ${HEAD_COLUMNS} from decision_chains where sealed_at >= $1`);
