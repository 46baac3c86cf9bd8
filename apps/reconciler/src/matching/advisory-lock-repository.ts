import { hash } from 'node:crypto';
import { statement, type Transaction } from '@pay/persistence';
import { isIntentKey } from '../domain/keys';

// In one statement and in sorted order, before any statement that looks: two transactions that share keys wait for each
// other here, and the second transaction sees everything that the first has committed.
const TAKE = statement(
  'take-locks',
  'select count(pg_advisory_xact_lock(k)) from (select distinct k from unnest($1::bigint[]) k order by k) as sorted',
);

/**
 * Locks names until the end of the transaction. Facts under one name, visible yet or not, are decided about by one at a
 * time. It does not wait here: the next statement of the transaction begins, and looks, only when the locks are held.
 */
export function takeLocks(tx: Transaction, keys: Iterable<string>): void {
  const numbers = Array.from(keys, lockNumber);
  if (numbers.length > 0) tx.enqueue(TAKE, [numbers]);
}

/**
 * Names of intents sort after all others. Versions of this service that run side by side have to agree on the numbers.
 */
function lockNumber(key: string): string {
  const number = hash('sha256', key, 'buffer').readBigUInt64BE() >> 1n;
  return (isIntentKey(key) ? number : number - 2n ** 63n).toString();
}
