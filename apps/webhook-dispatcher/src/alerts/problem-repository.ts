import { ENDPOINT_ALERT_MINUTES, MAX_PROBLEMS, type Environment, type Problems, type Tenant } from '@pay/contracts';
import { arraysOf, statement, type Queryable } from '@pay/persistence';

// An endpoint that the system has disabled is a problem. One that its merchant has disabled is not.
const FIND = statement(
  'find-problems',
  `select e.merchant_id as "merchantId", e.environment, e.id, e.url, e.failing_since as since
   from endpoints e
   join unnest($1::uuid[], $2::text[]) as tenant (merchant_id, environment) using (merchant_id, environment)
   where e.failing_since <= now() - interval '${ENDPOINT_ALERT_MINUTES} minutes' and e.deleted_at is null
     and (e.is_active or e.disabled_reason is not null)
   order by e.failing_since limit ${MAX_PROBLEMS + 1}`,
);

interface Row {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly id: string;
  readonly url: string;
  readonly since: Date;
}

/** Contains only hosts, because the rest of a URL may contain a secret. */
export async function findProblems(db: Queryable, tenants: readonly Tenant[]): Promise<Problems> {
  const rows = await db.query<Row>(FIND, arraysOf(tenants, 'merchantId', 'environment'));
  const problems = rows.slice(0, MAX_PROBLEMS).map(({ id, url, since, ...tenant }) => ({
    ...tenant,
    kind: 'endpoint_failing' as const,
    subject: id,
    name: new URL(url).host,
    count: 1,
    since: since.toISOString(),
  }));
  return { problems, isComplete: rows.length <= MAX_PROBLEMS };
}
