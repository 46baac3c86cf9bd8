/**
 * `npm run migrate`: brings every service's schema up to date. With DATABASE_URL (a user who may create roles) the database,
 * roles and schemas are provisioned first, with the role passwords of the run folder's seed; without it the database of the
 * system that is running here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provisionDatabase } from '@pay/local-servers';
import { ROOT } from './arguments';
import { gatewayPath, type GatewayFile } from './gateway-file';
import { messageOf } from './message-of';
import { migrateServices } from './migrate-services';
import { bundle, runBundle } from './run-bundle';
import { loadSeed } from './seed-file';
import { machineEnvironment } from './service-environment';

async function migrate(): Promise<void> {
  const runDir = join(ROOT, '.run');
  const superuserUrl = process.env['DATABASE_URL'] ?? runningPostgres(runDir);
  const database = decodeURIComponent(new URL(superuserUrl).pathname.slice(1));
  const seed = await loadSeed(runDir, () =>
    runBundle(bundle('dashboard-api', 'make-seed'), [], machineEnvironment(process.env)),
  );
  const urls = await provisionDatabase({ superuserUrl, database, passwords: seed.rolePasswords });
  await migrateServices(urls, process.env);
  console.log(`Six schemas of database ${database} are up to date.`);
}

function runningPostgres(runDir: string): string {
  const path = gatewayPath(runDir);
  if (!existsSync(path)) {
    throw new Error(
      'Nothing is running here: start the system with `npm start`, or name a Postgres with DATABASE_URL.',
    );
  }
  return (JSON.parse(readFileSync(path, 'utf8')) as GatewayFile).postgresUrl;
}

migrate().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
