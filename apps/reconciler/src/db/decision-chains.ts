import type { Environment, Tenant } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';
import type { Signed } from '../decision-chain';
import { changingAll } from './changing-all';

const NEXT = statement(
  'next-unsealed-tenant',
  `select merchant_id, environment from decisions where position is null and (merchant_id, environment) > ($1::uuid, $2::text)
   order by merchant_id, environment limit 1`,
);

/** The next tenant, in the order of ids, that has decisions outside of its chain. */
export async function nextUnsealedTenant(db: Queryable, after: Tenant | undefined): Promise<Tenant | undefined> {
  const values = [after?.merchantId ?? '00000000-0000-0000-0000-000000000000', after?.environment ?? ''];
  const [row] = await db.query<{ merchant_id: string; environment: Environment }>(NEXT, values);
  return row && { merchantId: row.merchant_id, environment: row.environment };
}

/** The end of a tenant's chain. */
export interface ChainHead {
  readonly position: bigint;
  /** In hex; null while nothing is sealed. */
  readonly link: string | null;
  readonly sealedAt: Date | null;
}

interface HeadRow {
  readonly position: string;
  readonly link: string | null;
  readonly sealed_at: Date | null;
}

const HEAD_COLUMNS = `position, encode(link, 'hex') as link, sealed_at`;
const BEGIN = statement(
  'begin-decision-chain',
  'insert into decision_chains (merchant_id, environment) values ($1, $2) on conflict (merchant_id, environment) do nothing',
);
const HOLD = statement(
  'hold-decision-chain',
  `select ${HEAD_COLUMNS} from decision_chains where merchant_id = $1 and environment = $2 for update skip locked`,
);

/** The end of a chain, held until the end of the transaction; undefined when another process holds it. */
export async function holdChain(tx: Transaction, { merchantId, environment }: Tenant): Promise<ChainHead | undefined> {
  tx.enqueue(BEGIN, [merchantId, environment]);
  const [row] = await tx.query<HeadRow>(HOLD, [merchantId, environment]);
  return row && toHead(row);
}

const FIND = statement(
  'find-decision-chain',
  `select ${HEAD_COLUMNS} from decision_chains where merchant_id = $1 and environment = $2`,
);

export async function findChain(db: Queryable, { merchantId, environment }: Tenant): Promise<ChainHead | undefined> {
  const [row] = await db.query<HeadRow>(FIND, [merchantId, environment]);
  return row && toHead(row);
}

function toHead(row: HeadRow): ChainHead {
  return { position: BigInt(row.position), link: row.link, sealedAt: row.sealed_at };
}

const UNSEALED = statement(
  'unsealed-decisions',
  `select id, encode(mac, 'hex') as mac, decided_at from decisions
   where merchant_id = $1 and environment = $2 and position is null order by id limit $3`,
);

export interface UnsealedDecision {
  readonly id: string;
  readonly mac: string;
  readonly decidedAt: Date;
}

export async function unsealedDecisions(
  db: Queryable,
  { merchantId, environment }: Tenant,
  limit: number,
): Promise<UnsealedDecision[]> {
  const values = [merchantId, environment, limit];
  const rows = await db.query<{ id: string; mac: string; decided_at: Date }>(UNSEALED, values);
  return rows.map(({ id, mac, decided_at }) => ({ id, mac, decidedAt: decided_at }));
}

const SEAL = statement(
  'seal-decisions',
  changingAll(
    'decisions',
    `update decisions d set position = given.position, link_key_id = given.key_id, link = decode(given.link, 'hex')
     from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) as given (id, position, key_id, link)
     where d.id = any($1::uuid[]) and d.id = given.id and d.position is null`,
  ),
);
const MOVE_HEAD = statement(
  'move-decision-chain',
  `update decision_chains set position = $3, link = decode($4, 'hex'), sealed_at = $5 where merchant_id = $1 and environment = $2`,
);

export interface SealedDecision {
  readonly id: string;
  readonly position: bigint;
  readonly link: Signed;
}

/** Puts decisions at the end of a chain that is held. */
export function sealAtEnd(tx: Transaction, tenant: Tenant, sealed: readonly SealedDecision[], now: Date): void {
  const last = sealed.at(-1);
  if (last === undefined) return;
  tx.enqueue(SEAL, [
    sealed.map(({ id }) => id),
    sealed.map(({ position }) => position.toString()),
    sealed.map(({ link }) => link.keyId),
    sealed.map(({ link }) => link.mac),
  ]);
  tx.enqueue(MOVE_HEAD, [tenant.merchantId, tenant.environment, last.position.toString(), last.link.mac, now]);
}
