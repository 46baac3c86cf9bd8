import type { Migration } from '@pay/persistence';

/** For the payment audit: an event may be created long after its payment, so the index by creation does not find it. */
export const indexPaidEventsByOccurrence: Migration = {
  name: '20261127164000-index-paid-events-by-occurrence',
  transaction: false,
  sql: `create index concurrently if not exists events_paid_by_occurrence on events (occurred_at)
    where type = 'payment.paid'`,
};
