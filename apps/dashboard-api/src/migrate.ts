import { migrate } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { migrations } from './db/migrations';

/** Brings the schema of DATABASE_URL up to date. Run before the service starts; it refuses to start otherwise. */
const log = createLogger({ service: 'dashboard-api', level: 'info' });
const url = process.env['DATABASE_URL'];
if (url === undefined || url === '') {
  log.fatal('DATABASE_URL is required');
  process.exitCode = 1;
} else {
  migrate({ url, migrations, log }).catch((error: unknown) => {
    log.fatal({ err: error }, 'migration.failed');
    process.exitCode = 1;
  });
}
