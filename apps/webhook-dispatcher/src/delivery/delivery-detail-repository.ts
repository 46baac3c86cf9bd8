import type { Tenant } from '@pay/contracts';
import { firstRow, mapped, rows } from '@pay/persistence';
import { LISTED_COLUMNS, type ListedDelivery } from './delivery-list-repository';

export interface FoundDelivery extends ListedDelivery {
  readonly body: string;
  readonly nextAttemptAt: Date | null;
}

/**
 * The `next_attempt_at` of a leased delivery is the end of its lease, so it is not shown. An open breaker means that no
 * attempt is planned.
 */
export const findDelivery = firstRow<FoundDelivery, [tenant: Tenant, id: string]>(
  'find-delivery',
  `select ${LISTED_COLUMNS}, body,
     case when lease_owner is null and next_attempt_at is not null then greatest(next_attempt_at,
       (select e.breaker_until from endpoints e where e.id = deliveries.endpoint_id)) end as "nextAttemptAt"
   from deliveries where id = $1 and merchant_id = $2 and environment = $3`,
  (tenant, id) => [id, tenant.merchantId, tenant.environment],
);

export const findDeliveryEnvironment = mapped(({ environment }: Pick<Tenant, 'environment'>) => environment).firstRow(
  'find-delivery-environment',
  'select environment from deliveries where id = $1 and merchant_id = $2',
  (merchantId: string, id: string) => [id, merchantId],
);

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

export const attemptsOf = rows<KeptAttempt, [deliveryId: string]>(
  'attempts-of-delivery',
  `select attempt, trigger, started_at as "startedAt", finished_at as "finishedAt", sent_at as "sentAt", outcome,
     http_status as "httpStatus", detail, total_ms as "totalMs", response, response_headers as "responseHeaders"
   from attempts where delivery_id = $1 order by attempt`,
);

export interface AttemptOfDelivery extends Pick<
  KeptAttempt,
  'attempt' | 'startedAt' | 'finishedAt' | 'outcome' | 'httpStatus' | 'response'
> {
  readonly deliveryId: string;
}

export const attemptsOfAll = rows<AttemptOfDelivery, [deliveryIds: readonly string[]]>(
  'attempts-of-deliveries',
  `select delivery_id as "deliveryId", attempt, started_at as "startedAt", finished_at as "finishedAt", outcome,
     http_status as "httpStatus", response
   from attempts where delivery_id = any($1::uuid[]) order by delivery_id, attempt`,
);
