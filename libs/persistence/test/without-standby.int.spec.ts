import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type LocalPostgres } from '@pay/local-servers';
import { eventually, failOnLeaks } from '@pay/testing';
import { Client } from 'pg';
import { isConnectionLoss, migrate, openDatabase, type Database } from '../src';
import { memoryLog } from './scratch-database';

failOnLeaks();

const migrations = [
  { name: '20260101000000-create-notes', sql: 'create table notes (id int generated always as identity)' },
];
const POOL = 3;
const WRITE = 'insert into notes default values';

describe('a pool whose commits wait because no synchronous standby streams', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'persistence-postgres-'));
  let postgres: LocalPostgres;
  let operator: Client;
  let db: Database;

  beforeAll(async () => {
    postgres = await startPostgres({ stateDir, log: () => undefined });
    await migrate({ url: postgres.url, migrations, log: memoryLog() });
    operator = new Client(postgres.url);
    await operator.connect();
    db = await openDatabase({
      url: postgres.url,
      poolSize: POOL,
      applicationName: 'spec',
      log: memoryLog(),
      migrations,
      // The driver gives up five seconds later.
      statementTimeoutMs: 1_000,
    });
  });
  afterAll(async () => {
    await db.close();
    await operator.end();
    await postgres.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });

  async function requireStandbys(names: string): Promise<void> {
    await operator.query(`alter system set synchronous_standby_names = '${names}'`);
    await operator.query('select pg_reload_conf()');
    await eventually(
      async () => (await operator.query('show synchronous_standby_names')).rows[0].synchronous_standby_names === names,
      'the server uses the setting',
    );
  }

  /** Sessions of the pool whose COMMIT waits for a standby. */
  async function waiting(): Promise<number> {
    const sql = `select pid from pg_stat_activity where application_name like 'spec%' and wait_event = 'SyncRep'`;
    return (await operator.query(sql)).rowCount ?? 0;
  }

  it('occupies no more sessions than its size, fails its callers, and commits when a standby streams again', async () => {
    await requireStandbys('nobody');
    // The checkpointer applies the setting later than sessions show it.
    const isRefused = () => db.execute(WRITE).then(() => false, isConnectionLoss);
    await eventually(isRefused, 'commits wait for a standby', { timeoutMs: 60_000 });
    let most = 0;
    const writes = {
      statement: () => db.execute(WRITE),
      transaction: () => db.transaction((tx) => tx.execute(WRITE)),
    };
    const errors: unknown[] = [];
    // A lost connection must not make room for another one, however often callers repeat their writes.
    for (let round = 0; round < 2; round += 1) {
      const tried = Object.values(writes).flatMap((write) =>
        [write, write].map((each) => each().then(() => undefined)),
      );
      errors.push(...(await Promise.allSettled(tried)).map((each) => 'reason' in each && each.reason));
      most = Math.max(most, await waiting());
    }

    expect(errors.map(isConnectionLoss)).toEqual(errors.map(() => true));
    expect(most).toBe(POOL);
    await requireStandbys('');
    await eventually(() => db.execute(WRITE).then(() => true), 'writes are committed again');
    expect(await waiting()).toBe(0);
  }, 90_000);
});
