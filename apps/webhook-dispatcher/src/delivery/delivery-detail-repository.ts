import type { Environment, Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import { LISTED_COLUMNS, type ListedDelivery } from './delivery-list-repository';

export interface FoundDelivery extends ListedDelivery {
  readonly body: string;
  readonly nextAttemptAt: Date | null;
}

/** While a delivery is leased, `next_attempt_at` is the end of the lease and is not shown. */
const FIND = statement(
  'find-delivery',
  `select ${LISTED_COLUMNS}, body, case when lease_owner is null then next_attempt_at end as "nextAttemptAt"
   from deliveries where id = $1 and merchant_id = $2 and environment = $3`,
);

export async function findDelivery(db: Queryable, tenant: Tenant, id: string): Promise<FoundDelivery | undefined> {
  const [row] = await db.query<FoundDelivery>(FIND, [id, tenant.merchantId, tenant.environment]);
  return row;
}

const FIND_ENVIRONMENT = statement(
  'find-delivery-environment',
  'select environment from deliveries where id = $1 and merchant_id = $2',
);

export async function findDeliveryEnvironment(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<Environment | undefined> {
  return (await db.query<{ environment: Environment }>(FIND_ENVIRONMENT, [id, merchantId]))[0]?.environment;
}

export type AttemptTrigger = 'schedule' | 'probe' | 'resend' | 'recover';

export interface KeptAttempt {
  readonly attempt: number;
  readonly trigger: AttemptTrigger;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly sentAt: Date | null;
  readonly outcome: string | null;
  readonly httpStatus: number | null;
  readonly detail: string | null;
  readonly totalMs: number | null;
  readonly response: string | null;
  readonly responseHeaders: string | null;
}

const ATTEMPTS = statement(
  'attempts-of-delivery',
  `select attempt, trigger, started_at as "startedAt", finished_at as "finishedAt", sent_at as "sentAt", outcome,
     http_status as "httpStatus", detail, total_ms as "totalMs", response, response_headers as "responseHeaders"
   from attempts where delivery_id = $1 order by attempt`,
);

export async function attemptsOf(db: Queryable, deliveryId: string): Promise<KeptAttempt[]> {
  return db.query<KeptAttempt>(ATTEMPTS, [deliveryId]);
}

const ATTEMPTS_OF_ALL = statement(
  'attempts-of-deliveries',
  `select delivery_id as "deliveryId", attempt, started_at as "startedAt", finished_at as "finishedAt", outcome,
     http_status as "httpStatus", response
   from attempts where delivery_id = any($1::uuid[]) order by delivery_id, attempt`,
);

export interface AttemptOfDelivery extends Pick<
  KeptAttempt,
  'attempt' | 'startedAt' | 'finishedAt' | 'outcome' | 'httpStatus' | 'response'
> {
  readonly deliveryId: string;
}

export async function attemptsOfAll(db: Queryable, deliveryIds: readonly string[]): Promise<AttemptOfDelivery[]> {
  return db.query<AttemptOfDelivery>(ATTEMPTS_OF_ALL, [deliveryIds]);
}
