import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database';
import { isSerializationConflict } from './errors';
import type { Transaction } from './transaction';

const FIRST_PAUSE_MS = 5;

/** Repeats a transaction after a deadlock or serialization failure, with random pauses that double. */
export async function retryOnConflict<T>(
  db: Pick<Database, 'transaction'>,
  work: (tx: Transaction) => Promise<T>,
  attempts = 5,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (attempt >= attempts || !isSerializationConflict(error)) throw error;
      await delay(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}
