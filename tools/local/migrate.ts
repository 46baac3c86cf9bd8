/**
 * `npm run migrate`: brings every service's schema up to date. With DATABASE_URL (a user who may create roles)
 * databases, roles and schemas are provisioned first, with the role passwords of the run folder's seed; without it the
 * databases of the system that is running here are migrated.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@pay/contracts';
import { provisionDatabases } from '@pay/local-servers';
import { ROOT } from './arguments';
import { gatewayPath, type GatewayFile } from './gateway-file';
import { messageOf } from './message-of';
import { migrateServices } from './migrate-services';
import { prefixOf } from './open-servers';
import { bundle, runBundle } from './run-bundle';
import { loadSeed } from './seed-file';
import { machineEnvironment } from './service-environment';

type DatabaseUrls = Readonly<Record<ServiceName, string>>;

async function migrate(): Promise<void> {
  const runDir = join(ROOT, '.run');
  const superuserUrl = process.env['DATABASE_URL'];
  const urls = superuserUrl === undefined ? runningDatabases(runDir) : await provisioned(superuserUrl, runDir);
  await migrateServices(urls, process.env);
  console.log('The databases of all six services are up to date.');
}

async function provisioned(superuserUrl: string, runDir: string): Promise<DatabaseUrls> {
  const seed = await loadSeed(runDir, () =>
    runBundle(bundle('dashboard-api', 'make-seed'), [], machineEnvironment(process.env)),
  );
  return provisionDatabases({ superuserUrl, prefix: prefixOf(superuserUrl), passwords: seed.rolePasswords });
}

function runningDatabases(runDir: string): DatabaseUrls {
  const path = gatewayPath(runDir);
  if (!existsSync(path)) {
    throw new Error('No running system found. Start it with `npm start`, or set DATABASE_URL.');
  }
  return (JSON.parse(readFileSync(path, 'utf8')) as GatewayFile).databaseUrls;
}

migrate().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
