import type { Environment, MissingSmsStatus } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

const WHERE = `merchant_id = $1 and environment = any($2::text[]) and status = any($3::text[])
    and ($4::uuid is null or receiver_account_ids @> array[$4::uuid])`;
const PAGE = statement(
  'page-of-missing-sms',
  `select id, environment, receiver_account_ids as "receiverAccountIds", msisdn, direction, amount, missing_from as "from",
     missing_to as "to", status, found_at as "foundAt", explained_at as "explainedAt"
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

/** Missing SMS that were reported, newest first. */
export async function pageOfMissingSms(
  db: Queryable,
  { merchantId, environments, statuses, receiverAccountId }: MissingSmsFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly found: readonly MissingSms[]; readonly total: number }> {
  const filter = [merchantId, environments, statuses, receiverAccountId];
  const [rows, counts] = await Promise.all([
    db.query<Omit<MissingSms, 'amount'> & { readonly amount: string }>(PAGE, [...filter, limit, offset]),
    db.query<{ total: number }>(COUNT, filter),
  ]);
  const found = rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
  return { found, total: counts[0]?.total ?? 0 };
}
