/**
 * `npm run schema:dump [app ...]`: migrates fresh databases and writes the schema of each library to src/schema.sql and
 * that of each service, without the tables of libraries, to src/db/schema.sql. Refuses when the text of a migration
 * that is in a file already has changed: databases that have applied it would refuse to start.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { directoryMigrations } from '@pay/directory';
import { endServersBelow, provisionDatabases, startPostgres } from '@pay/local-servers';
import { messagingMigrations } from '@pay/messaging';
import { dumpSchema, gatherFewStatistics, migrate } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createLogger } from '@pay/runtime';
import { librarySchemas } from '@pay/testing';
import { ROOT } from './arguments';
import { messageOf } from './message-of';
import { changedMigrations } from './changed-migrations';
import { bundle, runBundle } from './run-bundle';
import { machineEnvironment } from './service-environment';

const LIBRARIES = {
  directory: directoryMigrations,
  messaging: messagingMigrations,
  'rate-limits': rateLimitMigrations,
};

async function dump(services: readonly ServiceName[]): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'schema-dump-'));
  const postgres = await startPostgres({ stateDir, log: () => undefined });
  try {
    const databasesOf = <Name extends string>(names: readonly Name[]) => {
      const passwords = Object.fromEntries(names.map((name) => [name, 'dump'])) as Record<Name, string>;
      return provisionDatabases({ superuserUrl: postgres.url, prefix: 'dump', passwords });
    };
    const libraries = Object.entries(await databasesOf(Object.keys(LIBRARIES) as (keyof typeof LIBRARIES)[]));
    for (const [library, url] of libraries) {
      const migrations = [...LIBRARIES[library as keyof typeof LIBRARIES], gatherFewStatistics];
      await migrate({ url, migrations, log: createLogger({ service: 'schema-dump', level: 'silent' }) });
      write(`libs/${library}/src/schema.sql`, await dumpSchema(url));
    }
    const urls = await databasesOf(services);
    for (const service of services) {
      const env = { ...machineEnvironment(process.env), DATABASE_URL: urls[service] };
      await runBundle(bundle(service, 'migrate'), [], env);
      write(`apps/${service}/src/db/schema.sql`, await dumpSchema(urls[service], librarySchemas()));
    }
  } finally {
    await postgres.stop();
    await endServersBelow(stateDir);
    rmSync(stateDir, { recursive: true, force: true });
  }
}

function write(path: string, schema: string): void {
  const file = join(ROOT, path);
  const changed = changedMigrations(existsSync(file) ? readFileSync(file, 'utf8') : '', schema);
  if (changed.length > 0) {
    throw new Error(`${path}: restore the text of ${changed.join(', ')}; a change needs a separate migration.`);
  }
  writeFileSync(file, schema);
  console.log(`${path} is written`);
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
