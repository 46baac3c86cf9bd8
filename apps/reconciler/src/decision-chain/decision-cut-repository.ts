import { tenantKey, type Tenant } from '@pay/contracts';
import { FIRST_ID, arraysOf, mapped, rows, statement, type Transaction } from '@pay/persistence';
import type { Cut, Signed } from './decision-chain';
import { COLUMNS, toDecision, type DecisionRow, type KeptDecision } from './kept-decision-repository';
import { TENANT_COLUMNS } from '../db/tenant-row';

export interface SignedCut extends Cut, Signed {}

interface CutRow extends Omit<SignedCut, 'position'> {
  readonly position: string | null;
}

const CUT_COLUMNS = `${TENANT_COLUMNS}, cut_position as position, encode(cut_link, 'hex') as link, cut_through as through,
  cut_key_id as "keyId", encode(cut_mac, 'hex') as mac`;

function toCut(row: CutRow): SignedCut | undefined {
  return row.position === null ? undefined : { ...row, position: BigInt(row.position) };
}

/** The cut of a chain; undefined: nothing was deleted. */
export const findCut = mapped(toCut).firstRow(
  'find-decision-cut',
  `select ${CUT_COLUMNS} from decision_chains where merchant_id = $1 and environment = $2`,
  ({ merchantId, environment }: Tenant) => [merchantId, environment],
);

export interface OldDecision extends Tenant {
  readonly id: string;
}

// Ids are UUID v7, so the primary key is in the order of time.
export const oldDecisions = rows<OldDecision, [from: string | null, beforeId: string, limit: number]>(
  'old-decisions',
  `select id, merchant_id as "merchantId", environment from decisions
    where id > coalesce($1::text::uuid, '${FIRST_ID}') and id < $2::uuid order by id limit $3`,
);

export interface TenantShare extends Tenant {
  readonly most: number;
}

const LOCK = statement(
  'lock-decision-chains',
  `select chain.* from unnest($1::uuid[], $2::text[]) as given (merchant_id, environment)
   cross join lateral (
     select ${CUT_COLUMNS} from decision_chains c
     where c.merchant_id = given.merchant_id and c.environment = given.environment for update) as chain`,
);
const OLDEST = statement(
  'oldest-decisions',
  `select d.* from unnest($1::uuid[], $2::text[], $3::bigint[], $4::integer[]) as given (merchant_id, environment, position, most)
   cross join lateral (
     select ${COLUMNS} from decisions
     where decisions.merchant_id = given.merchant_id and decisions.environment = given.environment and decisions.position is not null
       and decisions.position > given.position order by decisions.position limit given.most) as d`,
);

export interface OldestOfChain {
  readonly tenant: Tenant;
  readonly cut: SignedCut | undefined;
  /** The entries after the cut, in order. */
  readonly decisions: readonly KeptDecision[];
}

/** The oldest entries of these chains, which are locked in a fixed order. */
export async function lockOldest(tx: Transaction, shares: readonly TenantShare[]): Promise<OldestOfChain[]> {
  const sorted = shares.toSorted((one, other) => (tenantKey(one) < tenantKey(other) ? -1 : 1));
  const tenants = arraysOf(sorted, 'merchantId', 'environment');
  const cuts = (await tx.query<CutRow>(LOCK, tenants)).flatMap((row) => toCut(row) ?? []);
  const cutOf = new Map(cuts.map((cut) => [tenantKey(cut), cut]));
  const positions = sorted.map((share) => (cutOf.get(tenantKey(share))?.position ?? 0n).toString());
  const rows = await tx.query<DecisionRow>(OLDEST, [...tenants, positions, sorted.map(({ most }) => most)]);
  const chains = new Map(
    sorted.map(({ merchantId, environment }) => {
      const tenant = { merchantId, environment };
      return [tenantKey(tenant), { tenant, cut: cutOf.get(tenantKey(tenant)), decisions: [] as KeptDecision[] }];
    }),
  );
  for (const decision of rows.map(toDecision)) chains.get(tenantKey(decision))?.decisions.push(decision);
  return [...chains.values()];
}

const CUT = statement(
  'cut-decision-chains',
  `update decision_chains chain set cut_position = given.position, cut_link = decode(given.link, 'hex'), cut_through = given.through,
     cut_key_id = given.key_id, cut_mac = decode(given.mac, 'hex')
   from jsonb_to_recordset($1::jsonb) as given (merchant_id uuid, environment text, position bigint, link text, through timestamptz,
     key_id text, mac text)
   where chain.merchant_id = given.merchant_id and chain.environment = given.environment`,
);
const DELETE = statement('delete-cut-decisions', 'delete from decisions where id = any($1::uuid[])');

/** Stores the cuts, then deletes the entries before them: the database refuses any other deletion. */
export async function cutChains(tx: Transaction, cuts: readonly SignedCut[], ids: readonly string[]): Promise<number> {
  if (cuts.length === 0) return 0;
  const rows = cuts.map(({ merchantId, environment, position, link, through, keyId, mac }) => ({
    merchant_id: merchantId,
    environment,
    position: position.toString(),
    link,
    through,
    key_id: keyId,
    mac,
  }));
  tx.enqueue(CUT, [JSON.stringify(rows)]);
  return tx.execute(DELETE, [ids]);
}
