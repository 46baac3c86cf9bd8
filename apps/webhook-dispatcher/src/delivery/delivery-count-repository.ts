import { statement, type Database } from '@pay/persistence';

/** Maximum number of changes per run. Totals include the remaining changes. */
const MOST_CHANGES = 10_000;

const COLUMNS = 'merchant_id, environment, endpoint_id, event_type, status';

/**
 * Counts are written in a fixed order, so that two replicas cannot deadlock. Changes that another replica has locked
 * are skipped.
 */
const ADD_UP = statement(
  'add-up-delivery-counts',
  `with batch as materialized (
     select ctid as place from delivery_count_changes limit ${MOST_CHANGES} for update skip locked
   ), taken as (
     delete from delivery_count_changes where ctid = any(array(select place from batch)) returning ${COLUMNS}, deliveries
   ), counted as (
     insert into delivery_counts as count (${COLUMNS}, deliveries)
     select ${COLUMNS}, sum(deliveries) from taken group by ${COLUMNS} order by ${COLUMNS}
     on conflict (${COLUMNS}) do update set deliveries = count.deliveries + excluded.deliveries
   )
   select count(*)::int as taken from taken`,
);

/** Adds the changes that the trigger of deliveries has written to the counts, so that totals read few rows. */
export async function addUpDeliveryCounts(db: Pick<Database, 'query'>): Promise<void> {
  let taken = MOST_CHANGES;
  while (taken >= MOST_CHANGES) taken = (await db.query<{ taken: number }>(ADD_UP))[0]?.taken ?? 0;
}
