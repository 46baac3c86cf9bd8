import { randomBytes } from 'node:crypto';
import { eventually } from '@pay/testing';
import { Client } from 'pg';
import {
  ContractedSchemaError,
  ContractRefusedError,
  migrate,
  openDatabase,
  type Database,
  type Migration,
} from '../src';
import { asSuperuser, memoryLog, scratchDatabase } from './scratch-database';

const log = memoryLog();
const create: Migration = { name: '20260101000000-create-notes', sql: 'create table notes (id int, old text)' };
const expand: Migration = { name: '20260102000000-add-text', sql: 'alter table notes add column text text' };
const contract: Migration = {
  name: '20260103000000-drop-old',
  sql: 'alter table notes drop column old',
  contractsAfter: expand.name,
};

describe('a contract step', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  beforeEach(async () => {
    database = await scratchDatabase();
    await migrate({ url: database.url, migrations: [create, expand], log });
  });
  afterEach(() => database.drop());

  const run = (migrations: readonly Migration[], applicationName = 'notes') =>
    openDatabase({ url: database.url, poolSize: 1, applicationName, log, migrations });
  /** Closes a process, and waits until the server has noticed. */
  const end = async (db: Database) => {
    await db.close();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const others = `select from pg_stat_activity where datname = current_database() and application_name like 'notes%'`;
    await eventually(async () => (await client.query(others)).rowCount === 0, 'the server has noticed');
    await client.end();
  };
  const release = () => migrate({ url: database.url, migrations: [create, expand, contract], log });

  it('is refused while a version without the preceding step runs, and leaves the schema unchanged', async () => {
    const older = await run([create]);

    await expect(release()).rejects.toThrow(ContractRefusedError);
    await expect(release()).rejects.toThrow('notes@20260101000000 (1 sessions)');

    await older.execute(`insert into notes (id, old) values (1, 'x')`);
    await end(older);
    expect(await release()).toEqual([contract.name]);
  });

  it('is refused while a process runs whose connections carry no version', async () => {
    const unknown = await run([]);

    await expect(release()).rejects.toThrow(ContractRefusedError);

    await unknown.close();
  });

  it('is refused while a version without the preceding step runs under the second role of a password rotation', async () => {
    const second = new URL(database.url);
    const role = decodeURIComponent(second.username);
    second.username = `second_${randomBytes(6).toString('hex')}`;
    second.password = 'secret';
    await asSuperuser(database.url, `create role ${second.username} login password 'secret' in role ${role}`);
    await asSuperuser(database.url, `alter role ${second.username} set role = ${role}`);
    const older = await openDatabase({
      url: second.toString(),
      poolSize: 1,
      applicationName: 'notes',
      log,
      migrations: [create],
    });

    await expect(release()).rejects.toThrow('notes@20260101000000 (1 sessions)');

    await end(older);
    expect(await release()).toEqual([contract.name]);
    await asSuperuser(database.url, `drop role ${second.username}`);
  });

  it('is applied while the previous version runs, which continues to run', async () => {
    const before = await run([create, expand]);

    expect(await release()).toEqual([contract.name]);

    expect(await before.execute(`insert into notes (id, text) values (1, 'x')`)).toBe(1);
    await before.close();
  });

  it('prevents a version that uses removed parts from starting', async () => {
    await release();

    await expect(run([create])).rejects.toThrow(ContractedSchemaError);
    const before = await run([create, expand]);
    await before.close();
  });

  it('blocks a process that starts meanwhile until its end, and then refuses it', async () => {
    const slow = { ...contract, sql: `select pg_sleep(0.5); ${contract.sql}` };
    const migrating = migrate({ url: database.url, migrations: [create, expand, slow], log });
    const watcher = await run([create, expand, contract].slice(0, 2), 'watcher');
    const [outcome] = await Promise.allSettled([run([create]), migrating]);
    await watcher.close();

    // In either order: never a contracted schema together with an incompatible process.
    const contracted = await migrating.then(
      () => true,
      () => false,
    );
    expect(contracted).not.toBe(outcome.status === 'fulfilled');
    if (outcome.status === 'fulfilled') await outcome.value.close();
  });

  it.each([
    ['names a step that is not in the list', { ...contract, contractsAfter: '20250101000000-other' }],
    ['names a later step', { ...contract, contractsAfter: contract.name }],
    ['cannot be rolled back', { ...contract, transaction: false }],
  ])('is not a valid migration when it %s', async (_, wrong) => {
    await expect(migrate({ url: database.url, migrations: [create, expand, wrong], log })).rejects.toThrow(RangeError);
  });
});
