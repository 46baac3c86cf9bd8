/**
 * `npm run schema:dump [app ...]`: migrates a fresh database and writes each service's schema to src/db/schema.sql.
 * Refuses when the text of a migration that is in the file already has changed: databases that have applied it would
 * refuse to start.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { endServersBelow, provisionDatabases, startPostgres } from '@pay/local-servers';
import { dumpSchema } from '@pay/persistence';
import { ROOT } from './arguments';
import { messageOf } from './message-of';
import { changedMigrations } from './changed-migrations';
import { bundle, runBundle } from './run-bundle';
import { machineEnvironment } from './service-environment';

async function dump(services: readonly ServiceName[]): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'schema-dump-'));
  const postgres = await startPostgres({ stateDir, log: () => undefined });
  try {
    const passwords = Object.fromEntries(services.map((service) => [service, 'dump'])) as Record<ServiceName, string>;
    const urls = await provisionDatabases({ superuserUrl: postgres.url, prefix: 'dump', passwords });
    for (const service of services) {
      const env = { ...machineEnvironment(process.env), DATABASE_URL: urls[service] };
      await runBundle(bundle(service, 'migrate'), [], env);
      const path = join(ROOT, 'apps', service, 'src', 'db', 'schema.sql');
      const schema = await dumpSchema(urls[service]);
      const changed = changedMigrations(readFileSync(path, 'utf8'), schema);
      if (changed.length > 0) {
        throw new Error(`${service}: restore the text of ${changed.join(', ')}; a change needs a separate migration.`);
      }
      writeFileSync(path, schema);
      console.log(`${path.slice(ROOT.length + 1)} is written`);
    }
  } finally {
    await postgres.stop();
    await endServersBelow(stateDir);
    rmSync(stateDir, { recursive: true, force: true });
  }
}

function servicesNamed(names: readonly string[]): readonly ServiceName[] {
  if (names.length === 0) return SERVICES;
  return names.map((name) => {
    const service = SERVICES.find((known) => known === name);
    if (!service) throw new Error(`Unknown service ${name}. Use one of ${SERVICES.join(', ')}.`);
    return service;
  });
}

async function main(): Promise<void> {
  await dump(servicesNamed(process.argv.slice(2)));
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
