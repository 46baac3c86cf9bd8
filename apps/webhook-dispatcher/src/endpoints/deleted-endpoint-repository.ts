import { command, mapped, onlyRow } from '@pay/persistence';

/** Endpoints that may have unfinished deliveries. The earliest deleted first. */
export const findDeletedEndpoints = mapped(({ id }: { readonly id: string }) => id).rows<[limit: number]>(
  'find-deleted-endpoints-with-deliveries',
  `select id from endpoints where deleted_at is not null and deliveries_ended_at is null order by deleted_at limit $1`,
);

/** Returns the number of failed deliveries. */
export const failScheduled = command<[endpointId: string, limit: number]>(
  'fail-scheduled-deliveries-of-endpoint',
  // Skips leased deliveries: they become due with the result or the end of the lease, and are failed then.
  `with scheduled as materialized (
     select id from deliveries where endpoint_id = $1 and next_attempt_at is not null and lease_owner is null
     order by next_attempt_at limit $2 for update skip locked
   )
   update deliveries d set status = 'FAILED', next_attempt_at = null, planned_at = null, ended_at = now()
   from scheduled where d.id = scheduled.id`,
);

/** `limit` rows are read. Only deliveries without a time for their next attempt are failed. */
export const failHeld = onlyRow<
  { read: number; lastId: string | null },
  [endpointId: string, afterId: string, limit: number]
>(
  'fail-held-deliveries-of-endpoint',
  // Failed deliveries are read too, because they are in the same index; the limit bounds the cost. Waits for locked
  // rows, so that none before the next position stays open.
  `with resting as materialized (
     select id, status <> 'FAILED' as is_held from deliveries
     where endpoint_id = $1 and id > $2::uuid and next_attempt_at is null and status <> 'DELIVERED'
     order by id limit $3
   ), held as materialized (
     select d.id from resting cross join lateral (
       select id from deliveries
       where id = resting.id and next_attempt_at is null and status in ('PENDING', 'RETRYING') for update
     ) d
     where resting.is_held
   ), failed as (
     update deliveries d set status = 'FAILED', ended_at = now() from held where d.id = held.id
   )
   select count(*)::int as read, max(id::text) as "lastId" from resting`,
);

export const hasScheduled = mapped((row: { readonly hasScheduled: boolean }) => row.hasScheduled).onlyRow<
  [endpointId: string]
>(
  'has-scheduled-deliveries',
  `select exists (select from deliveries where endpoint_id = $1 and next_attempt_at is not null) as "hasScheduled"`,
);

export const markDeliveriesEnded = command<[endpointId: string]>(
  'mark-deliveries-of-endpoint-ended',
  `update endpoints set deliveries_ended_at = now() where id = $1 and deleted_at is not null`,
);
