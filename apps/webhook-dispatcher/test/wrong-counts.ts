import type { Queryable } from '@pay/persistence';

/** What the counts and their changes say about deliveries, where count(*) says something else. */
export function wrongCounts(db: Queryable): Promise<Record<string, unknown>[]> {
  return db.query(
    `select merchant_id, environment, endpoint_id, event_type, status, sum(counted)::int as counted, sum(stored)::int as stored from (
       select merchant_id, environment, endpoint_id, event_type, status, deliveries as counted, 0 as stored from delivery_counts
       union all
       select merchant_id, environment, endpoint_id, event_type, status, deliveries, 0 from delivery_count_changes
       union all
       select merchant_id, environment, endpoint_id, event_type, status, 0, 1 from deliveries
     ) as both_sides group by 1, 2, 3, 4, 5 having sum(counted) <> sum(stored)`,
  );
}
