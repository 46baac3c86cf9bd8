import type { DirectoryKind, Tenant } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';
import type { FactOf, StoredFact } from './stored-fact';

// An older version never wins, whatever the order in which events come. Rows go in sorted, so that two batches cannot deadlock.
const APPLY = statement(
  'directory-apply',
  `insert into directory_facts (kind, id, version, deleted, merchant_id, environment, lookup_key, data)
   select kind, id, version, deleted, merchant_id, environment, lookup_key, data
     from jsonb_to_recordset($1::jsonb) as given (
       kind text, id uuid, version bigint, deleted boolean, merchant_id uuid, environment text, lookup_key text, data jsonb)
    order by kind, id
   on conflict (kind, id) do update set
     version = excluded.version, deleted = excluded.deleted, merchant_id = excluded.merchant_id,
     environment = excluded.environment, lookup_key = excluded.lookup_key, data = excluded.data
   where excluded.version > directory_facts.version
   returning kind, id`,
);
const FIND_BY_ID = statement('directory-find-by-id', 'select data from directory_facts where kind = $1 and id = $2');
const FIND_BY_KEY = statement(
  'directory-find-by-key',
  'select data from directory_facts where kind = $1 and lookup_key = $2 order by version desc limit 1',
);
const FIND_OF_TENANT = statement(
  'directory-find-of-tenant',
  `select data from directory_facts
    where kind = $1 and merchant_id = $2 and environment = $3 and not deleted order by id`,
);
const FIND_ALL_OF_TENANT = statement(
  'directory-find-all-of-tenant',
  'select data from directory_facts where kind = $1 and merchant_id = $2 and environment = $3 order by id',
);

/** Writes what is newer than the copy and answers which of the facts that were. */
export async function applyFacts(tx: Transaction, facts: readonly StoredFact[]): Promise<StoredFact[]> {
  if (facts.length === 0) return [];
  const rows = await tx.query<{ kind: DirectoryKind; id: string }>(APPLY, [JSON.stringify(facts)]);
  const changed = new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  return facts.filter(({ kind, id }) => changed.has(`${kind} ${id}`));
}

/** Deleted ones too: a deletion is something known, not something missing. */
export async function findByKey<Kind extends 'api_key' | 'device'>(
  db: Queryable,
  kind: Kind,
  keyHash: string,
): Promise<FactOf[Kind] | undefined> {
  const [row] = await db.query<{ data: FactOf[Kind] }>(FIND_BY_KEY, [kind, keyHash]);
  return row?.data;
}

export async function findMerchant(db: Queryable, id: string): Promise<FactOf['merchant'] | undefined> {
  const [row] = await db.query<{ data: FactOf['merchant'] }>(FIND_BY_ID, ['merchant', id]);
  return row?.data;
}

/** Deleted ones too. */
export async function findDeviceById(db: Queryable, id: string): Promise<FactOf['device'] | undefined> {
  const [row] = await db.query<{ data: FactOf['device'] }>(FIND_BY_ID, ['device', id]);
  return row?.data;
}

/** All of a kind that a tenant has, without deleted ones, in the order of their ids. */
export async function findOfTenant<Kind extends 'receiver_account' | 'device'>(
  db: Queryable,
  kind: Kind,
  { merchantId, environment }: Tenant,
): Promise<FactOf[Kind][]> {
  return (await db.query<{ data: FactOf[Kind] }>(FIND_OF_TENANT, [kind, merchantId, environment])).map(
    (row) => row.data,
  );
}

/** Deleted ones too. */
export async function findReceiverAccountsEver(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<FactOf['receiver_account'][]> {
  const values = ['receiver_account', merchantId, environment];
  return (await db.query<{ data: FactOf['receiver_account'] }>(FIND_ALL_OF_TENANT, values)).map((row) => row.data);
}
