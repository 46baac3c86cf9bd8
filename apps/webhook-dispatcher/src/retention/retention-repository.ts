import {
  daysBefore,
  inTransaction,
  oldRowsById,
  oldRowsInOrder,
  type DeletedBatch,
  type OldRows,
} from '@pay/persistence';

export interface Retention {
  readonly now: Date;
  readonly deliveryDays: number;
  readonly eventDays: number;
}

/** Only finished deliveries. Ids contain the times of events, which are never later than the end of a delivery. */
export function oldDeliveries({ now, deliveryDays }: Retention): OldRows {
  const before = daysBefore(now, deliveryDays);
  return oldRowsById('deliveries', before, {
    deletable: `status in ('DELIVERED', 'FAILED') and coalesce(ended_at, delivered_at, created_at) < $4`,
    values: [before],
    also: 'attempted as (delete from attempts using gone where attempts.delivery_id = gone.id)',
  });
}

/** Each feed stores the position of the last deleted event. */
export function oldEvents({ now, eventDays }: Retention): OldRows {
  return oldRowsInOrder({
    table: 'events',
    order: 'created_at',
    orderType: 'timestamptz',
    before: daysBefore(now, eventDays),
    also: `last as (
       select merchant_id, environment, max(position) as position from gone group by merchant_id, environment
       order by merchant_id, environment
     ), noted as (
       update event_counters c set deleted_through = greatest(c.deleted_through, last.position)
       from last where c.merchant_id = last.merchant_id and c.environment = last.environment
     )`,
  });
}

export function oldRecoveries({ now, eventDays }: Retention): OldRows {
  return oldRowsById('recoveries', daysBefore(now, eventDays), { deletable: 'finished_at is not null' });
}

const giveUp = inTransaction.onlyRow<DeletedBatch, [beforeId: string, limit: number]>(
  'give-up-held-deliveries',
  `with held as materialized (
     select id from deliveries
     where id < $1::uuid and status in ('PENDING', 'RETRYING') and next_attempt_at is null and lease_owner is null
     order by id limit $2 for update skip locked
   ), given_up as (
     update deliveries d set status = 'FAILED', ended_at = now() from held where d.id = held.id returning 1
   )
   select count(*)::int as read, (select count(*) from given_up)::int as deleted, null as position from held`,
);

/** Deliveries that were held for too long become FAILED, so that retention deletes them later. */
export function heldDeliveries(beforeId: string): OldRows {
  return {
    name: 'held deliveries',
    // Always starts at the beginning, because failed deliveries leave the index.
    deleteBatch: (tx, _from, limit) => giveUp(tx, beforeId, limit),
  };
}
