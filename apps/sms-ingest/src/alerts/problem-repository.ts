import {
  DOUBTFUL_PAYMENT_ALERT_HOURS,
  MAX_PROBLEMS,
  MISSING_SMS_ALERT_HOURS,
  tenantKey,
  type Problem,
  type Problems,
  type Tenant,
} from '@pay/contracts';
import { arraysOf, statement, type Queryable } from '@pay/persistence';

/** Larger counts are reported as this one. If a tenant has more doubtful payments, its answer is not complete. */
const MAX_COUNTED = 100;

// Devices by the index of those that are offline, gaps and payments by the indexes of the tenant's latest ones.
const FIND = statement(
  'find-problems',
  `with tenant as materialized (
     select * from unnest($1::uuid[], $2::text[]) as tenant (merchant_id, environment)
   ), problem as (
     select merchant_id as "merchantId", environment, 'device_silent' as kind, device_id::text as subject, 1 as count, seen_at as since,
       false as "isTruncated"
     from device_sightings join tenant using (merchant_id, environment)
     where offline_at is not null and alerted_at is not null and not is_disabled and not merchant_is_off
     union all
     select merchant_id, environment, 'sms_missing', 'all', gap.count, gap.since, false
     from tenant cross join lateral (
       select count(*)::int as count, min(found_at) as since from (
         select m.found_at from missing_sms m
         where m.merchant_id = tenant.merchant_id and m.environment = tenant.environment and m.status <> 'SUSPECTED'
           and m.found_at > now() - interval '${MISSING_SMS_ALERT_HOURS} hours' and m.status = 'OPEN'
         order by m.found_at desc limit ${MAX_COUNTED}) found
     ) gap where gap.count > 0
     union all
     select merchant_id, environment, 'payment_doubtful', payment.intent_id::text, 1, payment.since, payment.of_all > ${MAX_COUNTED}
     from tenant cross join lateral (
       select e.payment_intent_id as intent_id, min(e.passed_over_at) as since, count(*) over () as of_all from sms_events e
       where e.merchant_id = tenant.merchant_id and e.environment = tenant.environment
         and e.status in ('MATCHED', 'MANUALLY_RESOLVED') and e.payment_intent_id is not null
         and e.passed_over_at > now() - interval '${DOUBTFUL_PAYMENT_ALERT_HOURS} hours'
       group by e.payment_intent_id order by since limit ${MAX_COUNTED}
     ) payment
   )
   select * from problem where kind = any ($3::text[]) order by since limit ${MAX_PROBLEMS + 1}`,
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
  const problems = rows
    .slice(0, MAX_PROBLEMS)
    .map(({ isTruncated, since, ...problem }) => ({ ...problem, name: null, since: since.toISOString() }));
  if (rows.length > MAX_PROBLEMS) return { problems, isComplete: false };
  const truncated = new Map(rows.filter(({ isTruncated }) => isTruncated).map((row) => [tenantKey(row), row]));
  if (truncated.size === 0) return { problems, isComplete: true };
  const incomplete = [...truncated.values()].map(({ merchantId, environment, kind }) => ({
    merchantId,
    environment,
    kind,
  }));
  return { problems, isComplete: false, incomplete };
}
