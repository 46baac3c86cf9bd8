import { createLogger, databaseUrlOf } from '@pay/runtime';
import { migrate } from './migrate';
import type { Migration } from './migration';
import { onceDatabaseListens } from './once-database-listens';

/** Run it before the service, which refuses to start on an older schema. */
export async function migrateAndExit(
  service: string,
  migrations: readonly Migration[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const log = createLogger({ service, level: 'info' });
  try {
    const url = databaseUrlOf(env);
    const onWait = () => log.info({}, 'migration.database_awaited');
    await onceDatabaseListens(() => migrate({ url, migrations, log }), { onWait });
  } catch (error) {
    log.fatal({ err: error }, 'migration.failed');
    process.exitCode = 1;
  }
}
