import { formatAmount, type DayOfPayments, type IntentStatus, type PaymentMethod, type Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import { dayInDhaka, hourInDhaka, startOfDayInDhaka } from '../domain/day';

// Reads a few rows per hour, regardless of the number of intents.
const HOURS = statement(
  'payments-by-hour',
  `select counted.hour as at, counted.payment_method as "paymentMethod", sum(counted.intents)::int as intents,
     sum(counted.paid)::int as paid
   from unnest($3::timestamptz[]) as day (began)
   cross join lateral (
     select hour, payment_method, intents, paid from hourly_intent_counts
     where merchant_id = $1 and environment = $2 and hour >= day.began and hour < day.began + interval '24 hours'
     union all
     select hour, payment_method, intents, paid from hourly_intent_count_changes
     where merchant_id = $1 and environment = $2 and hour >= day.began and hour < day.began + interval '24 hours'
   ) as counted
   group by counted.hour, counted.payment_method having sum(counted.intents) > 0
   order by counted.hour, counted.payment_method`,
);

const RECEIVED = statement(
  'received-by-method',
  `select total.day::text as date, account.data ->> 'paymentMethod' as "paymentMethod",
     sum(total.amount) as amount, sum(total.payments)::int as payments
   from directory_facts as account
   join receiver_takings as total on total.receiver_account_id = account.id and total.day = any($3::date[])
   where account.kind = 'receiver_account' and account.merchant_id = $1 and account.environment = $2
   group by 1, 2 order by 1, 2`,
);

const STATUSES = statement(
  'intents-by-status',
  `select status, sum(intents)::int as intents from intent_counters
   where merchant_id = $1 and environment = $2 group by status having sum(intents) > 0`,
);

interface HourRow {
  readonly at: Date;
  readonly paymentMethod: PaymentMethod;
  readonly intents: number;
  readonly paid: number;
}
interface ReceivedRow {
  readonly date: string;
  readonly paymentMethod: PaymentMethod;
  readonly amount: string;
  readonly payments: number;
}

/** Days of Asia/Dhaka, in ascending order. */
export async function findDaysOfPayments(
  db: Queryable,
  { merchantId, environment }: Tenant,
  days: readonly string[],
): Promise<DayOfPayments[]> {
  const [hours, received] = await Promise.all([
    db.query<HourRow>(HOURS, [merchantId, environment, days.map(startOfDayInDhaka)]),
    db.query<ReceivedRow>(RECEIVED, [merchantId, environment, days]),
  ]);
  return days.map((day) => ({
    date: day,
    hours: hours
      .filter(({ at }) => dayInDhaka(at) === day)
      .map(({ at, ...counts }) => ({ hour: hourInDhaka(at), ...counts })),
    received: received
      .filter(({ date }) => date === day)
      .map(({ paymentMethod, amount, payments }) => ({
        paymentMethod,
        payments,
        amount: formatAmount(BigInt(amount)),
      })),
  }));
}

/** Reads the counters. */
export async function countByStatus(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<Partial<Record<IntentStatus, number>>> {
  const rows = await db.query<{ status: IntentStatus; intents: number }>(STATUSES, [merchantId, environment]);
  return Object.fromEntries(rows.map(({ status, intents }) => [status, intents]));
}
