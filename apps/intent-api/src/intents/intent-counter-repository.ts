import { statement, type Transaction } from '@pay/persistence';
import type { CountChange } from '../domain/counted';

// Each connection has a shard, so that transactions at the same time seldom meet in a row. Those that do take their
// rows in one order, after everything else that they lock, and hold them no longer than their COMMIT takes: none waits
// for one that waits for it.
const COUNT = statement(
  'count-intents',
  `insert into intent_counters as counter (merchant_id, environment, status, payment_method, shard, intents)
   select merchant_id, environment, status, payment_method, pg_backend_pid() % 8, intents
   from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[])
     as change (merchant_id, environment, status, payment_method, intents)
   order by merchant_id, environment, status, payment_method
   on conflict (merchant_id, environment, status, payment_method, shard)
     do update set intents = counter.intents + excluded.intents`,
);

/** Writes the changes with the transaction's COMMIT: call it when every other row is locked. */
export function countIntents(tx: Transaction, changes: readonly CountChange[]): void {
  if (changes.length === 0) return;
  const column = <T>(value: (change: CountChange) => T) => changes.map(value);
  tx.enqueue(COUNT, [
    column(({ merchantId }) => merchantId),
    column(({ environment }) => environment),
    column(({ status }) => status),
    column(({ paymentMethod }) => paymentMethod ?? ''),
    column(({ intents }) => intents),
  ]);
}
