import { createLogger, databaseUrlOf } from '@pay/runtime';
import { migrate } from './migrate';
import type { Migration } from './migration';

/**
 * The program that brings the schema of DATABASE_URL up to date. Run it before the service starts, which refuses to
 * start otherwise.
 */
export async function migrateAndExit(
  service: string,
  migrations: readonly Migration[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const log = createLogger({ service, level: 'info' });
  try {
    await migrate({ url: databaseUrlOf(env), migrations, log });
  } catch (error) {
    log.fatal({ err: error }, 'migration.failed');
    process.exitCode = 1;
  }
}
