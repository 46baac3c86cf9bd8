import { arraysOf, enqueuedRows } from '@pay/persistence';
import type { CountChange } from '../domain/counted';

/** Sent with COMMIT. Call it after all other rows are locked. */
export const countIntents = enqueuedRows(
  'count-intents',
  // Each connection has its own shard, so that concurrent transactions seldom write the same row. Shared rows are
  // locked last and in one order, so that transactions cannot deadlock and hold them only during COMMIT.
  `insert into intent_counters as counter (merchant_id, environment, status, payment_method, shard, intents)
   select merchant_id, environment, status, payment_method, pg_backend_pid() % 8, intents
   from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[])
     as change (merchant_id, environment, status, payment_method, intents)
   order by merchant_id, environment, status, payment_method
   on conflict (merchant_id, environment, status, payment_method, shard)
     do update set intents = counter.intents + excluded.intents`,
  (changes: readonly CountChange[]) => [
    ...arraysOf(changes, 'merchantId', 'environment', 'status'),
    changes.map(({ paymentMethod }) => paymentMethod ?? ''),
    changes.map(({ intents }) => intents),
  ],
);
