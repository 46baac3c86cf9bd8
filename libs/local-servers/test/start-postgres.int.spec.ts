import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { isAlive, outsideStateDir, provisionDatabases, startPostgres, type LocalPostgres } from '../src';

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

  it('acknowledges only commits that are on disk', async () => {
    const [settings] = await query(
      postgres.url,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
              current_setting('full_page_writes') as pages, current_setting('server_encoding') as encoding`,
    );

    expect(settings).toEqual({ fsync: 'on', commit: 'on', pages: 'on', encoding: 'UTF8' });
  });

  it('refuses a wrong password', async () => {
    const url = new URL(postgres.url);
    url.password = 'guess';

    await expect(query(url.toString(), 'select 1')).rejects.toThrow('password authentication failed');
  });

  it('keeps committed rows when it is killed and started again by another process', async () => {
    await query(postgres.url, 'create table kept (id int)');
    await query(postgres.url, 'insert into kept values (42)');
    const before = postgres;

    await before.kill();
    postgres = await startPostgres({ stateDir, log: () => undefined });

    expect(await query(postgres.url, 'select id from kept')).toEqual([{ id: 42 }]);
    expect(postgres.url).toBe(before.url);
  });

  it('starts on the same port after an immediate restart', async () => {
    await query(postgres.url, 'create table survives (id int)');
    const { pid } = postgres;

    await postgres.restart('immediate');

    expect(postgres.pid).not.toBe(pid);
    expect(await query(postgres.url, 'select id from survives')).toEqual([]);
  });

  it('starts after a kill when the last processes of the killed server have ended', async () => {
    const pids: number[] = [];
    for (let number = 0; number < 4; number += 1) {
      const client = new Client({ connectionString: postgres.url });
      client.on('error', () => undefined);
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      pids.push(rows[0]?.pid ?? 0);
    }
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await postgres.kill();

    const ended = new AbortController();
    const restarted = Promise.allSettled([postgres.restart().finally(() => ended.abort())]);
    const isRefused = () => readFileSync(postgres.logFile, 'utf8').includes('pre-existing shared memory block');
    while (!isRefused() && !ended.signal.aborted) await delay(5);
    for (const pid of pids) process.kill(pid, 'SIGCONT');

    expect(await restarted).toEqual([{ status: 'fulfilled', value: undefined }]);
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('stops a server of an earlier run before it starts its own', async () => {
    const leftBehind = postgres.pid;
    const sentences: string[] = [];

    postgres = await startPostgres({ stateDir, log: (sentence) => sentences.push(sentence) });

    expect(isAlive(leftBehind)).toBe(false);
    expect(sentences).toEqual([`Ending a Postgres that an earlier run left behind (process ${leftBehind})`]);
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('does not log row contents of a failed statement', async () => {
    await query(postgres.url, 'create table private (number text unique)');
    await query(postgres.url, 'insert into private values ($1)', ['01712345678']);

    await expect(query(postgres.url, 'insert into private values ($1)', ['01712345678'])).rejects.toThrow(
      'duplicate key',
    );

    expect(existsSync(postgres.logFile)).toBe(true);
    expect(readFileSync(postgres.logFile, 'utf8')).toContain('duplicate key');
    expect(readFileSync(postgres.logFile, 'utf8')).not.toContain('01712345678');
  });

  describe('with a provisioned database for each service', () => {
    const passwords = { 'intent-api': 'intent-secret', reconciler: 'reconciler-secret' };
    let urls: Record<keyof typeof passwords, string>;

    beforeAll(async () => {
      urls = await provisionDatabases({ superuserUrl: postgres.url, prefix: 'gateway', passwords });
      await query(urls['intent-api'], 'create table intents (id int)');
      await query(urls['intent-api'], 'insert into intents values (1)');
    });

    it('accepts connections over its Unix socket with the same passwords', async () => {
      const folder = postgres.socketFolder;
      expect(folder).toBeDefined();
      const through = (url: string) => `${url}?host=${encodeURIComponent(folder ?? '')}`;

      expect(await query(through(urls['intent-api']), 'select inet_client_addr() as address')).toEqual([
        { address: null },
      ]);
      const wrong = urls['intent-api'].replace('intent-secret', 'another-secret');
      await expect(query(through(wrong), 'select 1')).rejects.toThrow('password authentication failed');
    });

    it('gives each service a database with its own schema for unqualified names', async () => {
      const tables = await query(
        postgresAt('gateway_intent_api'),
        `select schemaname from pg_tables where tablename = 'intents'`,
      );

      expect(tables).toEqual([{ schemaname: 'intent_api' }]);
      expect(await query(urls['intent-api'], 'select id from intents')).toEqual([{ id: 1 }]);
      await expect(query(urls.reconciler, 'select id from intents')).rejects.toThrow('does not exist');
    });

    it.each([
      ['make something in public', 'create table public.mine (id int)', 'permission denied for schema public'],
      ['make a schema', 'create schema mine', 'permission denied for database'],
      ['make a database', 'create database mine', 'permission denied to create database'],
      [
        'make a temporary table',
        'create temporary table mine (id int)',
        'permission denied to create temporary tables',
      ],
      ['take another role', 'set role intent_api', 'permission denied to set role'],
    ])('does not let one service %s', async (_, sql, refusal) => {
      await expect(query(urls.reconciler, sql)).rejects.toThrow(refusal);
    });

    it('lets a service connect only to its own database', async () => {
      const sql = `select datname from pg_database where has_database_privilege('reconciler', oid, 'connect') and datallowconn`;

      expect(await query(postgres.url, sql)).toEqual([{ datname: 'gateway_reconciler' }]);
      for (const database of ['gateway_intent_api', 'postgres', 'template1']) {
        const url = new URL(urls.reconciler);
        url.pathname = `/${database}`;
        await expect(query(url.toString(), 'select 1')).rejects.toThrow('permission denied for database');
      }
    });

    it.each([
      ['of a session', 'select pg_advisory_lock($1::bigint), pg_advisory_lock($2::int, $2::int)'],
      ['of a session, shared', 'select pg_advisory_lock_shared($1::bigint), pg_advisory_lock_shared($2::int, $2::int)'],
      ['of a transaction', 'select pg_advisory_xact_lock($1::bigint), pg_advisory_xact_lock($2::int, $2::int)'],
      [
        'of a transaction, shared',
        'select pg_advisory_xact_lock_shared($1::bigint), pg_advisory_xact_lock_shared($2::int, $2::int)',
      ],
    ])('does not let a service block advisory locks of another %s', async (_, take) => {
      const tryKeys = 'select pg_try_advisory_xact_lock($1::bigint) as one, pg_try_advisory_xact_lock($2, $2) as two';
      const keys = [7366, 1];
      const hostile = new Client({ connectionString: urls.reconciler });
      await hostile.connect();
      try {
        await hostile.query('begin');
        await hostile.query(take, keys);

        expect(await query(urls.reconciler, tryKeys, keys)).toEqual([{ one: false, two: false }]);
        expect(await query(urls['intent-api'], tryKeys, keys)).toEqual([{ one: true, two: true }]);
      } finally {
        await hostile.end();
      }
    });

    it('can be provisioned again: data is kept, new passwords apply', async () => {
      const again = await provisionDatabases({
        superuserUrl: postgres.url,
        prefix: 'gateway',
        passwords: { ...passwords, 'intent-api': 'a new one' },
      });

      expect(await query(again['intent-api'], 'select id from intents')).toEqual([{ id: 1 }]);
      await expect(query(urls['intent-api'], 'select 1')).rejects.toThrow('password authentication failed');
    });

    it('can be provisioned by a role that is not a superuser', async () => {
      await query(postgres.url, `create role owner login createdb createrole password 'owner'`);
      await query(postgres.url, 'create database owned owner owner');
      const url = new URL(postgres.url);
      url.username = 'owner';
      url.password = 'owner';
      url.pathname = '/owned';

      const owned = await provisionDatabases({
        superuserUrl: url.toString(),
        prefix: 'owned',
        passwords: { 'checkout-api': 'checkout-secret' },
      });

      await query(owned['checkout-api'], 'create table claims (id int)');
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
