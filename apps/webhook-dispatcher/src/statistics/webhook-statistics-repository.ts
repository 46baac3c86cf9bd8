import { MAX_COUNTED_DELIVERIES, type Tenant, type WebhookStatistics } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

const ENDPOINTS = statement(
  'endpoint-statistics',
  `select count(*)::int as endpoints,
     count(*) filter (where is_active and not is_verified)::int as unverified,
     count(*) filter (where is_active and failing_since is not null)::int as failing,
     count(*) filter (where not is_active)::int as disabled
   from endpoints where merchant_id = $1 and environment = $2 and deleted_at is null`,
);

/** Each status is counted along the index of deliveries that are not delivered, up to a number. */
const DELIVERIES = statement(
  'delivery-statistics',
  `select status, (select count(*)::int from (
     select from deliveries where merchant_id = $1 and environment = $2 and status <> 'DELIVERED' and status = open.status
     limit ${MAX_COUNTED_DELIVERIES + 1}) as found) as deliveries
   from unnest(array['PENDING', 'RETRYING', 'FAILED']) as open (status)`,
);

type EndpointRow = Pick<WebhookStatistics, 'endpoints' | 'unverified' | 'failing' | 'disabled'>;

export async function findWebhookStatistics(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<WebhookStatistics> {
  const [[endpoints], deliveries] = await Promise.all([
    db.query<EndpointRow>(ENDPOINTS, [merchantId, environment]),
    db.query<{ status: string; deliveries: number }>(DELIVERIES, [merchantId, environment]),
  ]);
  const numberOf = (...statuses: string[]) =>
    deliveries.filter(({ status }) => statuses.includes(status)).reduce((sum, row) => sum + row.deliveries, 0);
  const [waiting, failed] = [numberOf('PENDING', 'RETRYING'), numberOf('FAILED')];
  return {
    ...(endpoints ?? { endpoints: 0, unverified: 0, failing: 0, disabled: 0 }),
    ...{ waiting: Math.min(waiting, MAX_COUNTED_DELIVERIES), waitingIsExact: waiting <= MAX_COUNTED_DELIVERIES },
    ...{ failed: Math.min(failed, MAX_COUNTED_DELIVERIES), failedIsExact: failed <= MAX_COUNTED_DELIVERIES },
  };
}
