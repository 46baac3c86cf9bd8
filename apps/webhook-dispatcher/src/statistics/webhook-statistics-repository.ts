import type { Tenant, WebhookStatistics } from '@pay/contracts';
import { onlyRow, type Queryable } from '@pay/persistence';

type EndpointCounts = Pick<WebhookStatistics, 'endpoints' | 'unverified' | 'failing' | 'disabled'>;
type DeliveryCounts = Pick<WebhookStatistics, 'waiting' | 'failed'>;

const ofTenant = ({ merchantId, environment }: Tenant) => [merchantId, environment];

const countEndpoints = onlyRow<EndpointCounts, [tenant: Tenant]>(
  'endpoint-statistics',
  `select count(*)::int as endpoints,
     count(*) filter (where is_active and not is_verified)::int as unverified,
     count(*) filter (where is_active and failing_since is not null)::int as failing,
     count(*) filter (where not is_active)::int as disabled
   from endpoints where merchant_id = $1 and environment = $2 and deleted_at is null`,
  ofTenant,
);

/** One snapshot of the counts and the changes that are not added yet. */
const countDeliveries = onlyRow<DeliveryCounts, [tenant: Tenant]>(
  'delivery-statistics',
  `select coalesce(sum(deliveries) filter (where status in ('PENDING', 'RETRYING')), 0)::int as waiting,
     coalesce(sum(deliveries) filter (where status = 'FAILED'), 0)::int as failed
   from (
     select status, deliveries from delivery_counts where merchant_id = $1 and environment = $2
     union all
     select status, deliveries from delivery_count_changes where merchant_id = $1 and environment = $2
   ) as counted`,
  ofTenant,
);

export async function findWebhookStatistics(db: Queryable, tenant: Tenant): Promise<WebhookStatistics> {
  const [endpoints, deliveries] = await Promise.all([countEndpoints(db, tenant), countDeliveries(db, tenant)]);
  return { ...endpoints, ...deliveries };
}
