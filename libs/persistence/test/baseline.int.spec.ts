import {
  dumpSchema,
  IncompleteHistoryError,
  migrate,
  openDatabase,
  PendingMigrationsError,
  type Migration,
} from '../src';
import { memoryLog, scratchDatabase } from './scratch-database';

const create: Migration = { name: '20260101000000-create-notes', sql: 'create table notes (id int)' };
const expand: Migration = { name: '20260102000000-add-text', sql: 'alter table notes add column text text' };
const contract: Migration = { name: '20260103000000-drop-id', sql: 'alter table notes drop column id' };
const createTags: Migration = { name: '20260102120000-create-tags', sql: 'create table tags (name text)' };

const notes: Migration = {
  name: '20260201000000-create-schema',
  sql: 'create table notes (text text); select pg_sleep(0.2)',
  replaces: contract.name,
};
const tags: Migration = { ...createTags, name: '20260201000001-create-tags', replaces: createTags.name };
const later: Migration = { name: '20260301000000-add-author', sql: 'alter table notes add column author text' };

const previous = [create, expand, createTags, contract];
const current = [notes, tags, later];

describe('a baseline', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  beforeEach(async () => (database = await scratchDatabase()));
  afterEach(() => database.drop());

  const log = memoryLog();
  const run = (migrations: readonly Migration[]) => migrate({ url: database.url, migrations, log });
  /** Starts and stops a process, and returns what it has logged. */
  const start = async (migrations: readonly Migration[]) => {
    const own = memoryLog();
    const options = { url: database.url, poolSize: 1, applicationName: 'spec', log: own, migrations };
    const db = await openDatabase(options);
    await db.close();
    return own.lines.map(({ message }) => message);
  };
  /** Without the names of the applied migrations. */
  const tables = async () => (await dumpSchema(database.url)).replaceAll(/^-- migration .*\n/gm, '');

  it('creates the schema of an empty database', async () => {
    expect(await run(current)).toEqual(current.map(({ name }) => name));

    expect(await run(current)).toEqual([]);
    expect(await start(current)).toEqual([]);
  });

  it('is run by the next attempt if an earlier one failed before it', async () => {
    await run([notes]);

    expect(await run(current)).toEqual([tags.name, later.name]);
  });

  it('is recorded without being run on a database of the previous version, and later migrations are run', async () => {
    await run(previous);
    await expect(start(current)).rejects.toThrow(PendingMigrationsError);
    const before = await tables();

    expect(await run([notes, tags])).toEqual([notes.name, tags.name]);
    expect(await tables()).toBe(before);

    expect(await run(current)).toEqual([later.name]);
    expect(await start(current)).toEqual([]);
  });

  it('lets processes of the previous version start and its migrations find nothing to do', async () => {
    await run(previous);
    await run(current);

    expect(await start(previous)).toEqual(['database.schema_newer']);
    expect(await run(previous)).toEqual([]);
  });

  it('is recorded once by several processes at the same time', async () => {
    await run(previous);

    const runs = await Promise.all([1, 2, 3].map(() => run(current)));

    expect(runs.flat().sort()).toEqual(current.map(({ name }) => name));
  });

  it.each([
    ['all but the last migration', [create, expand, createTags], contract],
    ['no migration of a library', [create, expand, contract], createTags],
  ])('is refused on a database that has %s of the previous version', async (_, applied, missing) => {
    await run(applied);
    const before = await dumpSchema(database.url);

    await expect(run(current)).rejects.toThrow(IncompleteHistoryError);
    await expect(run(current)).rejects.toThrow(
      `the database lacks migrations of the previous version: ${missing.name}.`,
    );

    expect(await dumpSchema(database.url)).toBe(before);
    await run(previous);
    expect(await run(current)).toEqual(current.map(({ name }) => name));
  });

  it('contains the contract steps that it replaces', async () => {
    await run([create, expand, createTags, { ...contract, contractsAfter: expand.name }]);
    await run(current);

    expect(await start(current)).toEqual([]);
  });

  it('must be later than what it replaces', async () => {
    await expect(run([create, { ...notes, replaces: expand.name }])).rejects.toThrow(RangeError);
  });
});
