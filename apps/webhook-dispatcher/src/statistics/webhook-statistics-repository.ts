import type { Tenant, WebhookStatistics } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

const ENDPOINTS = statement(
  'endpoint-statistics',
  `select count(*)::int as endpoints,
     count(*) filter (where is_active and not is_verified)::int as unverified,
     count(*) filter (where is_active and failing_since is not null)::int as failing,
     count(*) filter (where not is_active)::int as disabled
   from endpoints where merchant_id = $1 and environment = $2 and deleted_at is null`,
);

/** One snapshot of the counts and the changes that are not added yet. */
const DELIVERIES = statement(
  'delivery-statistics',
  `select coalesce(sum(deliveries) filter (where status in ('PENDING', 'RETRYING')), 0)::int as waiting,
     coalesce(sum(deliveries) filter (where status = 'FAILED'), 0)::int as failed
   from (
     select status, deliveries from delivery_counts where merchant_id = $1 and environment = $2
     union all
     select status, deliveries from delivery_count_changes where merchant_id = $1 and environment = $2
   ) as counted`,
);

type EndpointRow = Pick<WebhookStatistics, 'endpoints' | 'unverified' | 'failing' | 'disabled'>;
type DeliveryRow = Pick<WebhookStatistics, 'waiting' | 'failed'>;

export async function findWebhookStatistics(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<WebhookStatistics> {
  const [[endpoints], [deliveries]] = await Promise.all([
    db.query<EndpointRow>(ENDPOINTS, [merchantId, environment]),
    db.query<DeliveryRow>(DELIVERIES, [merchantId, environment]),
  ]);
  return {
    ...(endpoints ?? { endpoints: 0, unverified: 0, failing: 0, disabled: 0 }),
    ...(deliveries ?? { waiting: 0, failed: 0 }),
  };
}
