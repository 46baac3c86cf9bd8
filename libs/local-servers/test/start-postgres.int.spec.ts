import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { isAlive, outsideStateDir, provisionDatabase, startPostgres, type LocalPostgres } from '../src';

describe('an embedded Postgres', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'local-postgres-'));
  let postgres: LocalPostgres;

  beforeAll(async () => {
    postgres = await startPostgres({ stateDir, log: () => undefined });
  });

  afterAll(async () => {
    await postgres.stop();
    rmSync(outsideStateDir(stateDir), { recursive: true, force: true });
    rmSync(stateDir, { recursive: true, force: true });
  });

  it('promises durability: nothing is acknowledged that is not on disk', async () => {
    const [settings] = await query(
      postgres.url,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
              current_setting('full_page_writes') as pages, current_setting('server_encoding') as encoding`,
    );

    expect(settings).toEqual({ fsync: 'on', commit: 'on', pages: 'on', encoding: 'UTF8' });
  });

  it('refuses who does not know the password', async () => {
    const url = new URL(postgres.url);
    url.password = 'guess';

    await expect(query(url.toString(), 'select 1')).rejects.toThrow('password authentication failed');
  });

  it('keeps what was committed when it is killed and started again by another process', async () => {
    await query(postgres.url, 'create table kept (id int)');
    await query(postgres.url, 'insert into kept values (42)');
    const before = postgres;

    await before.kill();
    postgres = await startPostgres({ stateDir, log: () => undefined });

    expect(await query(postgres.url, 'select id from kept')).toEqual([{ id: 42 }]);
    expect(postgres.url).toBe(before.url);
  });

  it('comes back on the same port after an immediate restart', async () => {
    await query(postgres.url, 'create table survives (id int)');
    const { pid } = postgres;

    await postgres.restart('immediate');

    expect(postgres.pid).not.toBe(pid);
    expect(await query(postgres.url, 'select id from survives')).toEqual([]);
  });

  it('ends a server that an earlier run left behind before it starts its own', async () => {
    const leftBehind = postgres.pid;
    const sentences: string[] = [];

    postgres = await startPostgres({ stateDir, log: (sentence) => sentences.push(sentence) });

    expect(isAlive(leftBehind)).toBe(false);
    expect(sentences).toEqual([`Ending a Postgres that an earlier run left behind (process ${leftBehind})`]);
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('does not write rows into its log when a statement fails', async () => {
    await query(postgres.url, 'create table private (number text unique)');
    await query(postgres.url, 'insert into private values ($1)', ['01712345678']);

    await expect(query(postgres.url, 'insert into private values ($1)', ['01712345678'])).rejects.toThrow(
      'duplicate key',
    );

    expect(existsSync(postgres.logFile)).toBe(true);
    expect(readFileSync(postgres.logFile, 'utf8')).toContain('duplicate key');
    expect(readFileSync(postgres.logFile, 'utf8')).not.toContain('01712345678');
  });

  describe('with a provisioned database', () => {
    const passwords = { 'intent-api': 'intent-secret', reconciler: 'reconciler-secret' };
    let urls: Record<keyof typeof passwords, string>;

    beforeAll(async () => {
      urls = await provisionDatabase({ superuserUrl: postgres.url, database: 'gateway', passwords });
      await query(urls['intent-api'], 'create table intents (id int)');
      await query(urls['intent-api'], 'insert into intents values (1)');
    });

    it('is reached through the folder of its Unix socket too, with the same passwords', async () => {
      const folder = postgres.socketFolder;
      expect(folder).toBeDefined();
      const through = (url: string) => `${url}?host=${encodeURIComponent(folder ?? '')}`;

      expect(await query(through(urls['intent-api']), 'select inet_client_addr() as address')).toEqual([
        { address: null },
      ]);
      const wrong = urls['intent-api'].replace('intent-secret', 'another-secret');
      await expect(query(through(wrong), 'select 1')).rejects.toThrow('password authentication failed');
    });

    it('gives each service a schema of its own that unqualified names lead to', async () => {
      const tables = await query(postgresAt('gateway'), `select schemaname from pg_tables where tablename = 'intents'`);

      expect(tables).toEqual([{ schemaname: 'intent_api' }]);
      expect(await query(urls['intent-api'], 'select id from intents')).toEqual([{ id: 1 }]);
    });

    it.each([
      [
        'read a table of another service',
        'select * from intent_api.intents',
        'permission denied for schema intent_api',
      ],
      ['write a table of another service', 'delete from intent_api.intents', 'permission denied for schema intent_api'],
      ['make something in another schema', 'create table intent_api.mine (id int)', 'permission denied for schema'],
      ['make something in public', 'create table public.mine (id int)', 'permission denied for schema public'],
      ['make a schema', 'create schema mine', 'permission denied for database'],
      [
        'make a temporary table',
        'create temporary table mine (id int)',
        'permission denied to create temporary tables',
      ],
      ['take another role', 'set role intent_api', 'permission denied to set role'],
    ])('does not let one service %s', async (_, sql, refusal) => {
      await expect(query(urls.reconciler, sql)).rejects.toThrow(refusal);
    });

    it.each(['postgres', 'template1'])('does not let a service connect to database %s', async (database) => {
      const url = new URL(urls.reconciler);
      url.pathname = `/${database}`;

      await expect(query(url.toString(), 'select 1')).rejects.toThrow('permission denied for database');
    });

    it('can be provisioned again: data stay, new passwords count', async () => {
      const again = await provisionDatabase({
        superuserUrl: postgres.url,
        database: 'gateway',
        passwords: { ...passwords, 'intent-api': 'a new one' },
      });

      expect(await query(again['intent-api'], 'select id from intents')).toEqual([{ id: 1 }]);
      await expect(query(urls['intent-api'], 'select 1')).rejects.toThrow('password authentication failed');
    });

    it('can be provisioned by an owner who is no superuser', async () => {
      await query(postgres.url, `create role owner login createdb createrole password 'owner'`);
      await query(postgres.url, 'create database owned owner owner');
      const url = new URL(postgres.url);
      url.username = 'owner';
      url.password = 'owner';
      url.pathname = '/owned';

      const owned = await provisionDatabase({
        superuserUrl: url.toString(),
        database: 'owned',
        passwords: { 'sms-ingest': 'sms-secret' },
      });

      await query(owned['sms-ingest'], 'create table sms_events (id int)');
      await expect(query(url.toString(), 'select 1')).resolves.toHaveLength(1);
    });

    function postgresAt(database: string): string {
      const url = new URL(postgres.url);
      url.pathname = `/${database}`;
      return url.toString();
    }
  });
});

async function query(url: string, sql: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
