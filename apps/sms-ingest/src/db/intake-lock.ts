import { statement, type Database, type Transaction } from '@pay/persistence';

/** Advisory locks are the whole database's: the first number is this service's own. */
const INTAKE = '(7366, 1)';
/** Whoever comes to take in an SMS queues behind the waiting call: a transaction that hangs must not hold up everybody for long. */
const LONGEST_WAIT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';

const ENTER = statement('enter-intake', `select pg_advisory_xact_lock_shared${INTAKE}`);
const WAIT = statement('wait-for-intake', `select pg_advisory_xact_lock${INTAKE}`);

/** To be held before the time of ingestion is taken, so that `intakeIsDone` can wait for those who have taken one. */
export async function enterIntake(tx: Transaction): Promise<void> {
  await tx.query(ENTER);
}

/**
 * Waits until every SMS that was given a time of ingestion before this call is committed, and so visible, or gone. False when one of
 * them takes too long.
 */
export async function intakeIsDone(db: Pick<Database, 'transaction'>): Promise<boolean> {
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
}
