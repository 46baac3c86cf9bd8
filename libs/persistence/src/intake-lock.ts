import type { Database } from './database';
import { statement } from './statement';
import type { Transaction } from './transaction';

export interface IntakeLock {
  /** Enqueues the shared lock. Call it before writing rows: `isDone` waits for every transaction that holds it. */
  readonly enter: (tx: Transaction) => void;
  /**
   * Waits until every transaction that entered before this call has committed or rolled back. False if one takes longer
   * than half a second.
   */
  readonly isDone: (db: Pick<Database, 'transaction'>) => Promise<boolean>;
}

/** New transactions queue behind this call, so a hanging transaction must not block all of them for long. */
const LONGEST_WAIT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Separates running intake transactions from finished ones. Advisory locks are shared by the whole database, so each
 * service passes its own number.
 */
export function intakeLock(service: number): IntakeLock {
  if (!Number.isInteger(service)) throw new TypeError('the number of an intake lock must be an integer');
  const key = `(${service}, 1)`;
  const ENTER = statement('enter-intake', `select pg_advisory_xact_lock_shared${key}`);
  const WAIT = statement('wait-for-intake', `select pg_advisory_xact_lock${key}`);
  return {
    enter: (tx) => tx.enqueue(ENTER, []),
    async isDone(db) {
      try {
        await db.transaction(async (tx) => {
          await tx.execute(`set local lock_timeout = '${LONGEST_WAIT}'`);
          await tx.query(WAIT);
        });
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) return false;
        throw error;
      }
    },
  };
}
