import { MAX_PROBLEMS, MISSING_SMS_ALERT_HOURS, type Problem, type Problems, type Tenant } from '@pay/contracts';
import { arraysOf, statement, type Queryable } from '@pay/persistence';

/** Larger counts are reported as this one. */
const MAX_COUNTED = 100;

// Devices by the index of those that are offline, gaps by the index of the tenant's latest ones.
const FIND = statement(
  'find-problems',
  `with tenant as materialized (
     select * from unnest($1::uuid[], $2::text[]) as tenant (merchant_id, environment)
   )
   select merchant_id as "merchantId", environment, 'device_silent' as kind, device_id::text as subject, 1 as count, seen_at as since
   from device_sightings join tenant using (merchant_id, environment)
   where offline_at is not null and alerted_at is not null and not is_disabled and not merchant_is_off
   union all
   select merchant_id, environment, 'sms_missing', 'all', gap.count, gap.since
   from tenant cross join lateral (
     select count(*)::int as count, min(found_at) as since from (
       select m.found_at from missing_sms m
       where m.merchant_id = tenant.merchant_id and m.environment = tenant.environment and m.status <> 'SUSPECTED'
         and m.found_at > now() - interval '${MISSING_SMS_ALERT_HOURS} hours' and m.status = 'OPEN'
       order by m.found_at desc limit ${MAX_COUNTED}) found
   ) gap where gap.count > 0
   order by since limit ${MAX_PROBLEMS + 1}`,
);

interface Row extends Omit<Problem, 'since' | 'name'> {
  readonly since: Date;
}

export async function findProblems(db: Queryable, tenants: readonly Tenant[]): Promise<Problems> {
  const rows = await db.query<Row>(FIND, arraysOf(tenants, 'merchantId', 'environment'));
  const problems = rows.slice(0, MAX_PROBLEMS).map((row) => ({ ...row, name: null, since: row.since.toISOString() }));
  return { problems, isComplete: rows.length <= MAX_PROBLEMS };
}
