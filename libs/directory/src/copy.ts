import { isSamePair, type DirectoryKind, type Tenant } from '@pay/contracts';
import { arraysOf, inTransaction, mapped, statement, type Queryable, type Transaction } from '@pay/persistence';
import { isSameContent, sequenceOf, type FactOf, type StoredFact } from './stored-fact';

// An older version never replaces a newer one, and rows are written in sorted order, so that two batches cannot
// deadlock. Versions are compared within an epoch, and alone if one side has no epoch; after a complete re-send,
// records of an earlier epoch that it lacks were lost by their owner.
const APPLY = statement(
  'directory-apply',
  `insert into directory_facts (kind, id, epoch, version, deleted, merchant_id, environment, lookup_key, data)
   select kind, id, epoch, version, deleted, merchant_id, environment, lookup_key, data
     from jsonb_to_recordset($1::jsonb) as given (
       kind text, id uuid, epoch integer, version bigint, deleted boolean, merchant_id uuid, environment text, lookup_key text, data jsonb)
    where not exists (select from directory_resends done where done.kind = given.kind and done.epoch > given.epoch)
    order by kind, id
   on conflict (kind, id) do update set
     epoch = greatest(directory_facts.epoch, excluded.epoch), version = excluded.version, deleted = excluded.deleted, merchant_id = excluded.merchant_id,
     environment = excluded.environment, lookup_key = excluded.lookup_key, data = excluded.data
   where case when excluded.epoch <> directory_facts.epoch then excluded.epoch > directory_facts.epoch
     else excluded.version > directory_facts.version
       or (excluded.version = directory_facts.version and directory_facts.epoch is null and excluded.epoch is not null) end
   returning kind, id`,
);
const FIND_BY_KEY = statement(
  'directory-find-by-key',
  'select data from directory_facts where kind = $1 and lookup_key = $2 order by version desc limit 1',
);
const FIND_OF_TENANT = statement(
  'directory-find-of-tenant',
  `select data from directory_facts
    where kind = $1 and merchant_id = $2 and environment = $3 and not deleted order by id`,
);

const FIND_STORED = statement(
  'directory-find-stored',
  `select kind, id, epoch, version::integer as version, data from directory_facts
    where (kind, id) in (select * from unnest($1::text[], $2::uuid[]))`,
);
const COUNT_OF_EPOCH = statement(
  'directory-count-of-epoch',
  'select count(*)::integer as facts from directory_facts where kind = $1 and epoch >= $2',
);

/** Facts with the epoch and version of the copy but different content. */
export async function findConflicts(tx: Transaction, facts: readonly StoredFact[]): Promise<StoredFact[]> {
  if (facts.length === 0) return [];
  const values = arraysOf(facts, 'kind', 'id');
  const rows = await tx.query<Pick<StoredFact, 'kind' | 'id' | 'epoch' | 'version' | 'data'>>(FIND_STORED, values);
  const stored = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  return facts.filter((fact) => {
    const known = stored.get(`${fact.kind} ${fact.id}`);
    return known && isSamePair(sequenceOf(known), sequenceOf(fact)) && !isSameContent(known.data, fact.data);
  });
}

export async function holdsFactsOfEpoch(
  tx: Queryable,
  { kind, facts }: { readonly kind: DirectoryKind; readonly facts: number },
  epoch: number,
): Promise<boolean> {
  const [row] = await tx.query<{ facts: number }>(COUNT_OF_EPOCH, [kind, epoch]);
  return (row?.facts ?? 0) >= facts;
}

/** Marks facts as deleted that the owner has not sent in this epoch. Returns those that were not deleted before. */
export const deleteOfEarlierEpochs = inTransaction.rows<StoredFact, [kind: DirectoryKind, epoch: number]>(
  'directory-delete-of-earlier-epochs',
  // The version does not change: if the owner still has the record, the version of the owner is newer and replaces this
  // one.
  `update directory_facts set deleted = true, data = data || '{"deleted": true}'
    where kind = $1 and epoch < $2 and not deleted
   returning kind, id, epoch, version::integer as version, deleted, merchant_id, environment, lookup_key, data`,
);

export async function applyFacts(tx: Transaction, facts: readonly StoredFact[]): Promise<StoredFact[]> {
  if (facts.length === 0) return [];
  const rows = await tx.query<{ kind: DirectoryKind; id: string }>(APPLY, [JSON.stringify(facts)]);
  const changed = new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  return facts.filter(({ kind, id }) => changed.has(`${kind} ${id}`));
}

/** Includes deleted facts, because a deletion is information. */
export async function findByKey<Kind extends 'api_key' | 'device'>(
  db: Queryable,
  kind: Kind,
  keyHash: string,
): Promise<FactOf[Kind] | undefined> {
  const [row] = await db.query<{ data: FactOf[Kind] }>(FIND_BY_KEY, [kind, keyHash]);
  return row?.data;
}

const findById = <Kind extends 'merchant' | 'device'>(kind: Kind) =>
  mapped(({ data }: { readonly data: FactOf[Kind] }) => data).firstRow<[id: string]>(
    'directory-find-by-id',
    'select data from directory_facts where kind = $1 and id = $2',
    (id) => [kind, id],
  );

export const findMerchant = findById('merchant');

/** Includes deleted facts. */
export const findDeviceById = findById('device');

/** Without deleted facts, ordered by id. */
export async function findOfTenant<Kind extends 'receiver_account' | 'device'>(
  db: Queryable,
  kind: Kind,
  { merchantId, environment }: Tenant,
): Promise<FactOf[Kind][]> {
  return (await db.query<{ data: FactOf[Kind] }>(FIND_OF_TENANT, [kind, merchantId, environment])).map(
    (row) => row.data,
  );
}

/** Includes deleted facts. */
export const findReceiverAccountsEver = mapped(({ data }: { readonly data: FactOf['receiver_account'] }) => data).rows(
  'directory-find-all-of-tenant',
  'select data from directory_facts where kind = $1 and merchant_id = $2 and environment = $3 order by id',
  ({ merchantId, environment }: Tenant) => ['receiver_account', merchantId, environment],
);
