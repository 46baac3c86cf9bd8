import { DatabaseError, escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { withClient } from './with-client';

/** An arbitrary constant: concurrent provisionings of one server wait for each other. */
const LOCK_KEY = 7_263_011;

export interface ProvisionOptions<Service extends string> {
  /** A superuser, or a role that may create roles and databases. */
  readonly superuserUrl: string;
  /** Prefix of database names: `payment_gateway` creates `payment_gateway_intent_api`. */
  readonly prefix: string;
  /** One role, database and schema per service, named after it with underscores. */
  readonly passwords: Readonly<Record<Service, string>>;
}

/**
 * Creates a role and a database for each service; the role owns the schema of its name and may connect to no other of
 * these databases. Idempotent: existing objects are updated, data is kept.
 */
export async function provisionDatabases<Service extends string>({
  superuserUrl,
  prefix,
  passwords,
}: ProvisionOptions<Service>): Promise<Record<Service, string>> {
  const services = keysOf(passwords);
  await withClient(await maintenanceUrl(superuserUrl), async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    for (const service of services) {
      const [role, database] = [roleOf(service), databaseOf(prefix, service)];
      await provisionRole(client, role, passwords[service]);
      if (!(await exists(client, database)))
        await client.query(`create database ${escapeIdentifier(database)} encoding 'UTF8' template template0`);
      await withClient(at(superuserUrl, database), (own) => provisionSchema(own, role, database));
    }
  });
  return mapKeys(services, (service) => {
    const url = new URL(at(superuserUrl, databaseOf(prefix, service)));
    url.username = roleOf(service);
    url.password = passwords[service];
    return url.toString();
  });
}

/** `intent-api` -> `intent_api`: name of the role and schema of a service. */
export function roleOf(service: string): string {
  return service.replaceAll('-', '_');
}

function databaseOf(prefix: string, service: string): string {
  return `${prefix}_${roleOf(service)}`;
}

async function exists(client: Client, database: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
  return rowCount === 1;
}

async function provisionRole(client: Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const name = escapeIdentifier(role);
  if (rowCount === 0) await client.query(`create role ${name}`);
  const limits = 'login nocreatedb nocreaterole noinherit';
  await client.query(`alter role ${name} with ${limits} password ${escapeLiteral(password)}`);
  await client.query(`alter role ${name} set search_path = ${name}`);
  await client.query(`alter role ${name} set timezone = 'UTC'`);
}

async function provisionSchema(client: Client, role: string, database: string): Promise<void> {
  const name = escapeIdentifier(role);
  await client.query('begin');
  await client.query('revoke all on schema public from public');
  await client.query(`revoke connect, temporary on database ${escapeIdentifier(database)} from public`);
  await client.query(`grant connect on database ${escapeIdentifier(database)} to ${name}`);
  // A role that is not a superuser may transfer a schema only to a role of which it is a member.
  await client.query(
    `do $$ begin if not (select rolsuper from pg_roles where rolname = current_user) then grant ${name} to current_user; end if; end $$`,
  );
  await client.query(`create schema if not exists ${name} authorization ${name}`);
  await client.query(`alter schema ${name} owner to ${name}`);
  await client.query(`revoke all on schema ${name} from public`);
  await client.query('commit');
}

/** The database of the URL, or `postgres` if it does not exist yet. */
async function maintenanceUrl(url: string): Promise<string> {
  try {
    await withClient(url, () => Promise.resolve());
    return url;
  } catch (error) {
    const databaseIsMissing = error instanceof DatabaseError && error.code === '3D000';
    if (!databaseIsMissing) throw error;
    return at(url, 'postgres');
  }
}

function at(url: string, database: string): string {
  const copy = new URL(url);
  copy.pathname = `/${encodeURIComponent(database)}`;
  return copy.toString();
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record) as Key[];
}

function mapKeys<Key extends string>(keys: readonly Key[], valueOf: (key: Key) => string): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, string>;
}
