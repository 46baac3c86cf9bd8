import type { Environment, MissingSmsStatus } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

const WHERE = `merchant_id = $1 and environment = any($2::text[]) and status = any($3::text[])
    and ($4::uuid is null or receiver_account_ids @> array[$4::uuid])`;
const PAGE = statement(
  'page-of-missing-sms',
  `select id, environment, receiver_account_ids, msisdn, direction, amount, missing_from, missing_to, status, found_at, explained_at
   from missing_sms where status <> 'SUSPECTED' and ${WHERE}
   order by found_at desc, id limit $5 offset $6`,
);
const COUNT = statement(
  'count-missing-sms',
  `select count(*)::int as total from missing_sms where status <> 'SUSPECTED' and ${WHERE}`,
);

export interface MissingSmsFilter {
  readonly merchantId: string;
  readonly environments: readonly Environment[];
  readonly statuses: readonly MissingSmsStatus[];
  readonly receiverAccountId: string | null;
}

export interface MissingSms {
  readonly id: string;
  readonly environment: Environment;
  readonly receiverAccountIds: readonly string[];
  readonly msisdn: string;
  readonly direction: 'IN' | 'OUT';
  readonly amount: bigint;
  readonly from: Date;
  readonly to: Date;
  readonly status: MissingSmsStatus;
  readonly foundAt: Date;
  readonly explainedAt: Date | null;
}

interface Row {
  readonly id: string;
  readonly environment: Environment;
  readonly receiver_account_ids: string[];
  readonly msisdn: string;
  readonly direction: 'IN' | 'OUT';
  readonly amount: string;
  readonly missing_from: Date;
  readonly missing_to: Date;
  readonly status: MissingSmsStatus;
  readonly found_at: Date;
  readonly explained_at: Date | null;
}

/** Missing SMS that were reported, newest first. */
export async function pageOfMissingSms(
  db: Queryable,
  { merchantId, environments, statuses, receiverAccountId }: MissingSmsFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly found: readonly MissingSms[]; readonly total: number }> {
  const filter = [merchantId, environments, statuses, receiverAccountId];
  const [rows, counts] = await Promise.all([
    db.query<Row>(PAGE, [...filter, limit, offset]),
    db.query<{ total: number }>(COUNT, filter),
  ]);
  const found = rows.map((row) => ({
    ...{ id: row.id, environment: row.environment, msisdn: row.msisdn, direction: row.direction, status: row.status },
    ...{ receiverAccountIds: row.receiver_account_ids, amount: BigInt(row.amount) },
    ...{ from: row.missing_from, to: row.missing_to, foundAt: row.found_at, explainedAt: row.explained_at },
  }));
  return { found, total: counts[0]?.total ?? 0 };
}
