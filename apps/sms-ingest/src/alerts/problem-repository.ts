import {
  DOUBTFUL_PAYMENT_ALERT_HOURS,
  MAX_PROBLEMS,
  MISSING_SMS_ALERT_HOURS,
  type Problem,
  type Problems,
  type Tenant,
} from '@pay/contracts';
import { arraysOf, statement, type Queryable } from '@pay/persistence';

/** Larger counts are reported as this one. Of a kind with more problems, the answer contains the tenant's newest. */
const MAX_COUNTED = 100;

// Devices by the index of the merchant, gaps and payments by the indexes of the tenant's latest ones. The first
// problems of each tenant and kind come first, so that no tenant displaces those of others from a full answer.
const FIND = statement(
  'find-problems',
  `with tenant as materialized (
     select * from unnest($1::uuid[], $2::text[]) as tenant (merchant_id, environment)
   ), problem as (
     select merchant_id as "merchantId", environment, 'device_silent' as kind, device.id::text as subject, 1 as count, device.since,
       device.place, device.of_all
     from tenant cross join lateral (
       select d.device_id as id, d.seen_at as since, row_number() over (order by d.seen_at desc) as place, count(*) over () as of_all
       from device_sightings d
       where d.merchant_id = tenant.merchant_id and d.environment = tenant.environment
         and d.offline_at is not null and d.alerted_at is not null and not d.is_disabled and not d.merchant_is_off
       order by place limit ${MAX_COUNTED}
     ) device
     union all
     select merchant_id, environment, 'sms_missing', 'all', gap.count, gap.since, 1, 1
     from tenant cross join lateral (
       select count(*)::int as count, min(found_at) as since from (
         select m.found_at from missing_sms m
         where m.merchant_id = tenant.merchant_id and m.environment = tenant.environment and m.status <> 'SUSPECTED'
           and m.found_at > now() - interval '${MISSING_SMS_ALERT_HOURS} hours' and m.status = 'OPEN'
         order by m.found_at desc limit ${MAX_COUNTED}) found
     ) gap where gap.count > 0
     union all
     select merchant_id, environment, 'payment_doubtful', payment.intent_id::text, 1, payment.since, payment.place, payment.of_all
     from tenant cross join lateral (
       select e.payment_intent_id as intent_id, min(e.passed_over_at) as since,
         row_number() over (order by min(e.passed_over_at) desc) as place, count(*) over () as of_all
       from sms_events e
       where e.merchant_id = tenant.merchant_id and e.environment = tenant.environment
         and e.status in ('MATCHED', 'MANUALLY_RESOLVED') and e.payment_intent_id is not null
         and e.passed_over_at > now() - interval '${DOUBTFUL_PAYMENT_ALERT_HOURS} hours'
       group by e.payment_intent_id order by place limit ${MAX_COUNTED}
     ) payment
   ), answer as (
     select * from problem where kind = any ($3::text[]) order by place, since desc limit ${MAX_PROBLEMS}
   )
   select "merchantId", environment, kind, subject, count, since,
     of_all > count(*) over (partition by "merchantId", environment, kind) as "isTruncated"
   from answer order by place, since desc`,
);

interface Row extends Omit<Problem, 'since' | 'name'> {
  readonly since: Date;
  /** Whether its tenant has more problems of the kind than the answer contains. */
  readonly isTruncated: boolean;
}

export async function findProblems(
  db: Queryable,
  tenants: readonly Tenant[],
  kinds: readonly string[],
): Promise<Problems> {
  const rows = await db.query<Row>(FIND, [...arraysOf(tenants, 'merchantId', 'environment'), kinds]);
  const problems = rows.map(({ isTruncated, since, ...row }) => ({ ...row, name: null, since: since.toISOString() }));
  const truncated = rows.filter(({ isTruncated }) => isTruncated);
  const groups = new Map(
    truncated.map(({ merchantId, environment, kind }) => [
      `${merchantId} ${environment} ${kind}`,
      { merchantId, environment, kind },
    ]),
  );
  return { problems, isComplete: groups.size === 0, incomplete: [...groups.values()] };
}
