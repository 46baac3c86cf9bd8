import { createHash, randomBytes } from 'node:crypto';
import { roleOf } from '@pay/local-servers';
import type { ServiceName } from '@pay/contracts';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { migrationFingerprint } from './migration-fingerprint';
import { postgresUrl } from './servers';

/** Roles belong to the whole server, so tests use their own; provisioning real roles does not affect them. */
const ROLE_PREFIX = 'test_';
const PASSWORD = 'test';

export interface TestDatabaseOptions {
  readonly service: ServiceName;
  readonly migrate: (url: string) => Promise<unknown>;
  /**
   * Identifies the content of the migrations. Default: a hash of the migration files of the service and the libraries.
   */
  readonly content?: string;
}

export interface TestDatabase {
  /** The role of the service, whose search path is its schema. */
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * An empty, migrated database for one spec file: a copy of a template that the first worker migrates once per content.
 */
export async function testDatabase({ service, migrate, content }: TestDatabaseOptions): Promise<TestDatabase> {
  const asker = `${projectOfSpec()}\n${migrate.toString()}`;
  const hash = content === undefined ? migrationFingerprint(service, asker) : shortHash(content);
  const schema = roleOf(service);
  const template = `template_${schema}_${hash}`;
  const database = `t_${schema}_${randomBytes(6).toString('hex')}`;
  await asSuperuser(postgresUrl(), async (admin) => {
    await admin.query('select pg_advisory_lock(hashtext($1))', [`test role ${schema}`]);
    await ensureRole(admin, schema);
    await admin.query('select pg_advisory_unlock(hashtext($1))', [`test role ${schema}`]);
    await admin.query('select pg_advisory_lock(hashtext($1))', [template]);
    if (!(await exists(admin, template))) await buildTemplate(admin, { template, schema, migrate });
    await admin.query(`create database ${escapeIdentifier(database)} template ${escapeIdentifier(template)}`);
  });
  return {
    url: urlOf(database, schema),
    drop: () =>
      asSuperuser(postgresUrl(), async (admin) => {
        await admin.query(`drop database if exists ${escapeIdentifier(database)} with (force)`);
      }),
  };
}

async function ensureRole(admin: Client, schema: string): Promise<void> {
  const role = ROLE_PREFIX + schema;
  const { rowCount } = await admin.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount) return;
  await admin.query(`create role ${escapeIdentifier(role)} login password ${escapeLiteral(PASSWORD)}`);
  await admin.query(`alter role ${escapeIdentifier(role)} set search_path = ${escapeIdentifier(schema)}`);
}

interface TemplatePlan {
  readonly template: string;
  readonly schema: string;
  readonly migrate: (url: string) => Promise<unknown>;
}

/** Renamed last, so a template with the final name is complete, even if a worker died. */
async function buildTemplate(admin: Client, { template, schema, migrate }: TemplatePlan): Promise<void> {
  const draft = `${template}_draft`;
  const role = escapeIdentifier(ROLE_PREFIX + schema);
  await admin.query(`drop database if exists ${escapeIdentifier(draft)} with (force)`);
  await admin.query(`create database ${escapeIdentifier(draft)} encoding 'UTF8' template template0`);
  await asSuperuser(withDatabase(postgresUrl(), draft), async (client) => {
    await client.query('revoke all on schema public from public');
    await client.query(`create schema ${escapeIdentifier(schema)} authorization ${role}`);
    await client.query(`grant connect on database ${escapeIdentifier(draft)} to ${role}`);
  });
  await migrate(urlOf(draft, schema));
  // Open connections of the migration would prevent copies of the template.
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [draft]);
  await admin.query(`alter database ${escapeIdentifier(draft)} rename to ${escapeIdentifier(template)}`);
}

async function exists(admin: Client, database: string): Promise<boolean> {
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [database]);
  return rowCount === 1;
}

function urlOf(database: string, schema: string): string {
  const url = new URL(withDatabase(postgresUrl(), database));
  url.username = ROLE_PREFIX + schema;
  url.password = PASSWORD;
  return url.toString();
}

function withDatabase(base: string, database: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.toString();
}

async function asSuperuser(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** `/checkout/libs/messaging/test/outbox.int.spec.ts` -> `libs/messaging`; empty outside of jest. */
function projectOfSpec(): string {
  const path = typeof expect === 'undefined' ? undefined : expect.getState().testPath;
  return /\/((?:apps|libs)\/[^/]+)\/(?:src|test)\//.exec(path ?? '')?.[1] ?? '';
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
