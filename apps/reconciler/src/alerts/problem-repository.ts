import {
  EXCEPTION_ALERT_MINUTES,
  exceptionKindSchema,
  MAX_PROBLEMS,
  type Problem,
  type Problems,
  type Tenant,
} from '@pay/contracts';
import { arraysOf, statement, type Queryable } from '@pay/persistence';

/** Larger counts are reported as this one. */
const MAX_COUNTED = 100;

// The oldest items of each queue, along the index of the queue.
const oldest = (table: string, isInQueue: string) => `
  (select q.created_at from ${table} q
   where q.merchant_id = tenant.merchant_id and q.environment = tenant.environment and ${isInQueue}
     and q.created_at < now() - interval '${EXCEPTION_ALERT_MINUTES} minutes'
   order by q.created_at limit ${MAX_COUNTED})`;
const FIND = statement(
  'find-problems',
  `select tenant.merchant_id as "merchantId", tenant.environment, 'exceptions_waiting' as kind, queues.queue as subject,
     least(waiting.count, ${MAX_COUNTED}) as count, waiting.since
   from unnest($1::uuid[], $2::text[]) as tenant (merchant_id, environment)
   cross join unnest($3::text[]) as queues (queue)
   cross join lateral (
     select count(*)::int as count, min(created_at) as since from (
       ${oldest('matches', `exception_of(q.status, q.reason) = queues.queue and q.status not in ('MATCHED', 'DUPLICATE')`)}
       union all
       ${oldest('disputes', 'q.queue = queues.queue')}
     ) found
   ) waiting where waiting.count > 0
   order by since limit ${MAX_PROBLEMS + 1}`,
);

interface Row extends Omit<Problem, 'since' | 'name'> {
  readonly since: Date;
}

export async function findProblems(db: Queryable, tenants: readonly Tenant[]): Promise<Problems> {
  const rows = await db.query<Row>(FIND, [
    ...arraysOf(tenants, 'merchantId', 'environment'),
    exceptionKindSchema.options,
  ]);
  const problems = rows.slice(0, MAX_PROBLEMS).map((row) => ({ ...row, name: null, since: row.since.toISOString() }));
  return { problems, isComplete: rows.length <= MAX_PROBLEMS };
}
