import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database';
import { isLockTimeout } from './errors';
import { statement } from './statement';
import type { Transaction } from './transaction';

export interface IntakeLock {
  /** Enqueues the shared lock. Call it before writing rows: `isDone` waits for every transaction that holds it. */
  readonly enter: (tx: Transaction) => void;
  /**
   * Waits until every transaction that entered before this call has committed or rolled back. False if one takes longer
   * than half a second, or while `holdWhile` runs in any process.
   */
  readonly isDone: (db: Pick<Database, 'transaction'>) => Promise<boolean>;
  /**
   * Makes `isDone` false while `isNeeded`, for rows whose transaction has not begun. It writes nothing, so it works
   * while commits hang.
   */
  readonly holdWhile: (db: Pick<Database, 'transaction'>, isNeeded: () => boolean) => Promise<void>;
}

/** New transactions queue behind this call, so a hanging transaction must not block all of them for long. */
const LONGEST_WAIT = '500ms';
const HOLD_CHECK_MS = 50;

/**
 * Separates running intake transactions from finished ones. Advisory locks are shared by the whole database, so each
 * service passes its own number.
 */
export function intakeLock(service: number): IntakeLock {
  if (!Number.isInteger(service)) throw new TypeError('the number of an intake lock must be an integer');
  const key = `(${service}, 1)`;
  const ENTER = statement('enter-intake', `select pg_advisory_xact_lock_shared${key}`);
  // Another lock than that of the transactions: callers of `isDone` do not queue for it, so that they do not block the
  // transactions that a hold waits for.
  const heldKey = `(${service}, 2)`;
  const HOLD = statement('hold-intake', `select pg_advisory_xact_lock_shared${heldKey}`);
  const IS_FREE = statement(
    'intake-is-free',
    `select case when pg_try_advisory_lock${heldKey} then pg_advisory_unlock${heldKey} else false end as is_free`,
  );
  const WAIT = statement('wait-for-intake', `select pg_advisory_xact_lock${key}`);
  return {
    enter: (tx) => tx.enqueue(ENTER, []),
    async isDone(db) {
      try {
        return await db.transaction(async (tx) => {
          tx.enqueue(`set local lock_timeout = '${LONGEST_WAIT}'`);
          const [held] = await tx.query<{ is_free: boolean }>(IS_FREE);
          if (held?.is_free !== true) return false;
          await tx.query(WAIT);
          return true;
        });
      } catch (error) {
        if (isLockTimeout(error)) return false;
        throw error;
      }
    },
    async holdWhile(db, isNeeded) {
      await db.transaction(async (tx) => {
        await tx.query(HOLD);
        while (isNeeded()) {
          await delay(HOLD_CHECK_MS);
          // Shows a lost connection, and the server ends transactions that are idle for long.
          await tx.execute('select 1');
        }
      });
    },
  };
}
