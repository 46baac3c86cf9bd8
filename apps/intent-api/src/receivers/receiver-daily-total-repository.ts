import type { Poisha } from '@pay/contracts';
import { arraysOf, enqueuedRows, statement, type Queryable } from '@pay/persistence';
import type { ReceivedTotals } from '../domain/receiver-choice';
import type { DailyTotal } from '../domain/daily-totals';

/** Sent with COMMIT. */
export const addDailyTotals = enqueuedRows(
  'add-receiver-daily-totals',
  // Sorted, so that two batches that share receivers wait for each other instead of deadlocking.
  `insert into receiver_takings as known (receiver_account_id, day, amount, payments)
   select receiver_account_id, day, amount, payments
   from unnest($1::uuid[], $2::date[], $3::bigint[], $4::int[]) as added (receiver_account_id, day, amount, payments)
   order by receiver_account_id, day
   on conflict (receiver_account_id, day)
     do update set amount = known.amount + excluded.amount, payments = known.payments + excluded.payments`,
  (totals: readonly DailyTotal[]) => arraysOf(totals, 'receiverAccountId', 'day', 'amount', 'payments'),
);

const FIND = statement(
  'find-receiver-daily-totals',
  `select receiver_account_id, sum(amount) as of_month,
     coalesce(sum(amount) filter (where day = $3::date), 0) as of_day,
     coalesce(sum(payments) filter (where day = $3::date), 0) as payments_of_day
   from receiver_takings
   where receiver_account_id = any($1::uuid[]) and day between $2::date and $3::date
   group by receiver_account_id`,
);

/** Accounts that received nothing are missing. */
export async function findDailyTotals(
  db: Queryable,
  receiverAccountIds: readonly string[],
  { first, day }: { readonly first: string; readonly day: string },
): Promise<Map<string, ReceivedTotals>> {
  const rows = await db.query<Record<'receiver_account_id' | 'of_month' | 'of_day' | 'payments_of_day', string>>(FIND, [
    receiverAccountIds,
    first,
    day,
  ]);
  return new Map(
    rows.map((row) => [
      row.receiver_account_id,
      {
        ofDay: BigInt(row.of_day) as Poisha,
        ofMonth: BigInt(row.of_month) as Poisha,
        paymentsOfDay: Number(row.payments_of_day),
      },
    ]),
  );
}
