import type { DecisionStatistics, Tenant } from '@pay/contracts';
import { mapped } from '@pay/persistence';

/** Number of decisions that are read, independent of the merchant's size. */
const MOST_READ = 1_000;

interface Row {
  readonly since: Date | null;
  readonly payments: number;
  readonly by_people: number;
  readonly seconds: readonly [median: number, p95: number] | null;
}

/** Speed and automation of the latest sealed decisions. */
export const findDecisionStatistics = mapped(toStatistics).onlyRow(
  'decision-statistics',
  // Null: the decision made no intent PAID, or a version before stored it.
  `with latest as (
     select decided_at, paid_by_person, paid_seconds_after_sms from decisions
     where merchant_id = $1 and environment = $2 and position is not null order by position desc limit ${MOST_READ}
   )
   select min(decided_at) as since, count(paid_by_person)::int as payments,
     count(*) filter (where paid_by_person)::int as by_people,
     percentile_cont(array[0.5, 0.95]) within group (order by paid_seconds_after_sms) as seconds
   from latest`,
  ({ merchantId, environment }: Tenant) => [merchantId, environment],
);

function toStatistics({ since, payments, by_people: byPeople, seconds }: Row): DecisionStatistics {
  const [median, p95] = seconds ?? [];
  return {
    since: since?.toISOString() ?? null,
    payments,
    byPeople,
    secondsFromSms: median === undefined || p95 === undefined ? null : { median, p95 },
  };
}
