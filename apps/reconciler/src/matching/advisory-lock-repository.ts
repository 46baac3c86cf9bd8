import { hash } from 'node:crypto';
import { enqueuedRows } from '@pay/persistence';
import { isIntentKey } from '../domain/keys';

/**
 * Locks names until the end of the transaction, so that one transaction at a time decides facts of a name, visible or
 * not. It does not wait itself: the next statement starts when the locks are held.
 */
export const takeLocks = enqueuedRows(
  'take-locks',
  // One statement takes all locks in sorted order before any read: transactions with common keys wait here, and the
  // second one sees everything that the first has committed.
  'select count(pg_advisory_xact_lock(k)) from (select distinct k from unnest($1::bigint[]) k order by k) as sorted',
  (keys: readonly string[]) => [keys.map(lockNumber)],
);

/** Intent names sort after all others. Versions that run side by side must use the same numbers. */
function lockNumber(key: string): string {
  const number = hash('sha256', key, 'buffer').readBigUInt64BE() >> 1n;
  return (isIntentKey(key) ? number : number - 2n ** 63n).toString();
}
