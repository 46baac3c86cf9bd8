import { FIRST_ID, mapped, statement, type Queryable } from '@pay/persistence';

// Expected payers are not indexed, so a page is a range of ids of all merchants.
const END = statement(
  'expected-payers-end',
  `select max(id::text) as last, count(*)::integer as rows from (select id from payment_intents where id > $1 order by id limit $2) as page`,
);
const PAGE = statement(
  'expected-payers',
  `select id, expected_sender_msisdn as msisdn from payment_intents
    where id > $1 and id <= $2 and merchant_id = $3 and expected_sender_msisdn is not null order by id`,
);

export interface ExpectedPayer {
  readonly id: string;
  readonly msisdn: string;
}

/** `last` is null when no rows follow. */
export async function pageOfExpectedPayers(
  db: Queryable,
  { merchantId, after, rows }: { readonly merchantId: string; readonly after: string | null; readonly rows: number },
): Promise<{ readonly payers: ExpectedPayer[]; readonly last: string | null }> {
  const from = after ?? FIRST_ID;
  const [end] = await db.query<{ last: string | null; rows: number }>(END, [from, rows]);
  if (end === undefined || end.last === null) return { payers: [], last: null };
  const payers = await db.query<ExpectedPayer>(PAGE, [from, end.last, merchantId]);
  return { payers, last: end.rows < rows ? null : end.last };
}

/** Erases only intents that have ended. Returns their ids. */
export const eraseExpectedPayers = mapped(({ id }: { readonly id: string }) => id).rows<
  [ids: readonly string[], merchantId: string]
>(
  'erase-expected-payers',
  `update payment_intents set expected_sender_msisdn = null
    where id = any($1::uuid[]) and merchant_id = $2 and status not in ('PENDING', 'REVIEW_REQUIRED') returning id`,
);
