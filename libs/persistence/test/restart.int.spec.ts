import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres, type LocalPostgres } from '@pay/local-servers';
import { eventually, failOnLeaks } from '@pay/testing';
import { isConnectionLoss, migrate, openDatabase, type Database } from '../src';
import { memoryLog } from './scratch-database';

failOnLeaks();

const migrations = [{ name: '20260101000000-create-notes', sql: 'create table notes (id int primary key)' }];

describe('a Postgres that restarts', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'persistence-postgres-'));
  let postgres: LocalPostgres;
  let db: Database;

  beforeAll(async () => {
    postgres = await startPostgres({ stateDir, log: () => undefined });
    await migrate({ url: postgres.url, migrations, log: memoryLog() });
    db = await openDatabase({ url: postgres.url, poolSize: 4, applicationName: 'spec', log: memoryLog(), migrations });
  });
  afterAll(async () => {
    await db.close();
    await postgres.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });

  it.each(['immediate', 'fast'] as const)(
    '(%s) fails what was under way as a lost connection, and the pool reconnects',
    async (mode) => {
      await Promise.all(Array.from({ length: 4 }, () => db.ping()));
      const slow = db.transaction((tx) => tx.query('select pg_sleep(30)')).catch((error: unknown) => error);
      await eventually(
        async () => (await db.query(`select from pg_stat_activity where query like 'select pg_sleep%'`)).length > 0,
        'it runs',
      );

      await postgres.restart(mode);

      expect(isConnectionLoss(await slow)).toBe(true);
      await eventually(() => db.ping().then(() => true), 'the database answers again');
      await Promise.all(Array.from({ length: 12 }, () => db.transaction((tx) => tx.query('select 1'))));
    },
    90_000,
  );

  it('is reported as a lost connection, not as a refused statement', async () => {
    await postgres.kill();

    const errors = await Promise.all(Array.from({ length: 6 }, () => db.ping().catch((error: unknown) => error)));
    await postgres.restart();

    expect(errors.map(isConnectionLoss)).toEqual(Array(6).fill(true));
    await eventually(() => db.ping().then(() => true), 'the database answers again');
  });

  it('keeps every acknowledged transaction, and of each other transaction all or nothing', async () => {
    const acknowledged: number[] = [];
    const stopping = new AbortController();
    const writing = (async () => {
      for (let id = 0; !stopping.signal.aborted; id += 2) {
        const done = db.transaction(async (tx) => {
          await tx.execute('insert into notes (id) values ($1)', [id]);
          await tx.execute('insert into notes (id) values ($1)', [id + 1]);
        });
        await done.then(
          () => acknowledged.push(id),
          () => delay(10),
        );
      }
    })();
    try {
      await eventually(() => acknowledged.length > 100, 'transactions commit');

      await postgres.restart('immediate');
      const before = acknowledged.length;
      await eventually(() => acknowledged.length > before + 100, 'transactions commit again');
    } finally {
      stopping.abort();
      await writing;
    }

    const rows = new Set((await db.query<{ id: number }>('select id from notes')).map((row) => row.id));
    expect(acknowledged.every((id) => rows.has(id))).toBe(true);
    expect([...rows].every((id) => rows.has(id ^ 1))).toBe(true);
  });
});
