import { createLogger } from '@pay/runtime';
import { openDatabase, type Database, type OpenDatabaseOptions } from './database';

/** Opens the database for the work of a command, which prints its result instead of logs, and closes it afterwards. */
export async function withDatabase<T>(
  options: Omit<OpenDatabaseOptions, 'log' | 'metrics'>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const log = createLogger({ service: options.applicationName, level: 'silent' });
  const db = await openDatabase({ ...options, log });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
