import { migrate } from '@pay/persistence';
import { createLogger, databaseUrlOf } from '@pay/runtime';
import { migrations } from './db/migrations';

/** Brings the schema of DATABASE_URL up to date. Run before the service starts; it refuses to start otherwise. */
const log = createLogger({ service: 'reconciler', level: 'info' });

async function run(): Promise<void> {
  await migrate({ url: databaseUrlOf(process.env), migrations, log });
}

run().catch((error: unknown) => {
  log.fatal({ err: error }, 'migration.failed');
  process.exitCode = 1;
});
