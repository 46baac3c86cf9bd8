import type { DecisionStatistics, Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

/** Number of decisions that are read, independent of the merchant's size. */
const MOST_READ = 1_000;

const STATISTICS = statement(
  'decision-statistics',
  `with latest as materialized (
     select match_id, sms_event_id, decided_at, paid_amount from decisions
     where merchant_id = $1 and environment = $2 and position is not null order by position desc limit ${MOST_READ}
   ), payment as (
     select latest.decided_at, m.status, m.path,
       greatest(extract(epoch from latest.decided_at - e.ingested_at), 0) as seconds
     from latest
     join matches m on m.id = latest.match_id and m.pays_intent_id is not null
     join evidence e on e.sms_event_id = m.sms_event_id
     where latest.paid_amount > 0
   ), quick as (
     select percentile_cont(array[0.5, 0.95]) within group (order by seconds) as seconds from payment
     where status = 'MATCHED' and path = 'REFERENCE'
   )
   select (select min(decided_at) from latest) as since, count(*)::int as payments,
     count(*) filter (where payment.status = 'MANUALLY_RESOLVED')::int as by_people,
     (select seconds from quick) as seconds
   from payment`,
);

interface Row {
  readonly since: Date | null;
  readonly payments: number;
  readonly by_people: number;
  readonly seconds: readonly [median: number, p95: number] | null;
}

/** Speed and automation of the latest sealed decisions. */
export async function findDecisionStatistics(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<DecisionStatistics> {
  const [row] = await db.query<Row>(STATISTICS, [merchantId, environment]);
  const [median, p95] = row?.seconds ?? [];
  return {
    since: row?.since?.toISOString() ?? null,
    payments: row?.payments ?? 0,
    byPeople: row?.by_people ?? 0,
    secondsFromSms: median === undefined || p95 === undefined ? null : { median, p95 },
  };
}
