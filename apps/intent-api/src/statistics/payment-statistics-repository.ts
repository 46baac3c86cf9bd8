import { formatAmount, type DayOfPayments, type IntentStatus, type PaymentMethod, type Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import { startOfDayInDhaka } from '../domain/day';

// Hour by hour, because the planner overestimates the groups of a whole day and would sort them on disk. Only the index
// is read.
const HOURS = statement(
  'payments-by-hour',
  `select day.date, hour.number as hour, found.payment_method as "paymentMethod", found.intents, found.paid
   from unnest($3::timestamptz[], $4::text[]) as day (began, date)
   cross join generate_series(0, 23) as hour (number)
   cross join lateral (
     select payment_method, count(*)::int as intents, count(*) filter (where status = 'PAID')::int as paid
     from payment_intents
     where merchant_id = $1 and environment = $2 and payment_method = any($5::text[])
       and created_at >= day.began + hour.number * interval '1 hour'
       and created_at < day.began + (hour.number + 1) * interval '1 hour'
     group by payment_method
   ) as found
   order by day.date, hour.number, found.payment_method`,
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
  readonly date: string;
  readonly hour: number;
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

/** Intents and received amounts of these days of Asia/Dhaka, in the order of the days. */
export async function findDaysOfPayments(
  db: Queryable,
  { merchantId, environment }: Tenant,
  days: readonly string[],
  methods: readonly PaymentMethod[],
): Promise<DayOfPayments[]> {
  const [hours, received] = await Promise.all([
    db.query<HourRow>(HOURS, [merchantId, environment, days.map(startOfDayInDhaka), days, methods]),
    db.query<ReceivedRow>(RECEIVED, [merchantId, environment, days]),
  ]);
  return days.map((day) => ({
    date: day,
    hours: hours.filter(({ date }) => date === day).map(({ date: _date, ...hour }) => hour),
    received: received
      .filter(({ date }) => date === day)
      .map(({ paymentMethod, amount, payments }) => ({
        ...{ paymentMethod, payments },
        amount: formatAmount(BigInt(amount)),
      })),
  }));
}

/** The values of the counters, which every change updates. */
export async function countByStatus(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<Partial<Record<IntentStatus, number>>> {
  const rows = await db.query<{ status: IntentStatus; intents: number }>(STATUSES, [merchantId, environment]);
  return Object.fromEntries(rows.map(({ status, intents }) => [status, intents]));
}
