import { eventually } from '@pay/testing';
import { Client } from 'pg';
import { connect, createServer, type AddressInfo } from 'node:net';
import {
  ChangedMigrationError,
  dumpSchema,
  migrate,
  onceDatabaseListens,
  openDatabase,
  PendingMigrationsError,
  type Migration,
} from '../src';
import { asSuperuser, memoryLog, scratchDatabase } from './scratch-database';

const log = memoryLog();
const first: Migration = {
  name: '20260101000000-create-notes',
  sql: 'create table notes (id int primary key); select pg_sleep(0.2)',
};
const second: Migration = {
  name: '20260102000000-add-text',
  sql: `alter table notes add column text text not null default 'x'`,
};
const third: Migration = {
  name: '20260103000000-index-text',
  sql: 'create index concurrently if not exists notes_text on notes (text)',
  transaction: false,
};

describe('migrations', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  beforeEach(async () => (database = await scratchDatabase()));
  afterEach(() => database.drop());

  const open = (migrations: readonly Migration[]) =>
    openDatabase({ url: database.url, poolSize: 1, applicationName: 'spec', log, migrations });

  it('are applied once in the order of their names, in any order of the list', async () => {
    const applied = await migrate({ url: database.url, migrations: [third, second, first], log });
    const again = await migrate({ url: database.url, migrations: [first, second, third], log });

    expect(applied).toEqual([first.name, second.name, third.name]);
    expect(again).toEqual([]);
    const db = await open([first, second, third]);
    await db.close();
  });

  it('are applied once when several processes start at the same time', async () => {
    const runs = await Promise.all(
      [1, 2, 3].map(() => migrate({ url: database.url, migrations: [first, second, third], log })),
    );

    expect(runs.flat().sort()).toEqual([first.name, second.name, third.name]);
  });

  it('replace an index that an earlier attempt left invalid', async () => {
    await migrate({ url: database.url, migrations: [first, second], log });
    await asSuperuser(database.url, 'insert into notes (id) values (1), (2)');
    const failing = asSuperuser(database.url, 'create unique index concurrently notes_text on notes (text)');
    await expect(failing).rejects.toThrow('could not create unique index');

    await migrate({ url: database.url, migrations: [first, second, third], log });

    const db = await open([first, second, third]);
    const [index] = await db.query(
      `select indisvalid, indisunique from pg_index where indexrelid = 'notes_text'::regclass`,
    );
    expect(index).toEqual({ indisvalid: true, indisunique: false });
    await db.close();
  });

  it.each(['notes_text_ccnew', 'notes_text_ccnew1', 'notes_text_ccold12'])(
    'keep the index %s of an unfinished REINDEX CONCURRENTLY',
    async (name) => {
      await migrate({ url: database.url, migrations: [first, second], log });
      await asSuperuser(database.url, 'insert into notes (id) values (1), (2)');
      const failing = asSuperuser(database.url, `create unique index concurrently ${name} on notes (text)`);
      await expect(failing).rejects.toThrow('could not create unique index');

      await migrate({ url: database.url, migrations: [first, second, third], log });

      const db = await open([first, second, third]);
      expect(await db.query('select to_regclass($1) is not null as kept', [name])).toEqual([{ kept: true }]);
      await db.close();
    },
  );

  it('wait for a server that does not accept connections yet', async () => {
    const { hostname, port } = new URL(database.url);
    const proxy = createServer((socket) => {
      const server = connect(Number(port || 5432), hostname);
      socket.pipe(server).pipe(socket);
      for (const end of [socket, server]) end.on('error', () => [socket, server].forEach((each) => each.destroy()));
    });
    const url = new URL(database.url);
    const listenOn = (wanted: number) =>
      new Promise<void>((resolve) => proxy.listen(wanted, '127.0.0.1', () => resolve()));
    await listenOn(0);
    const address = proxy.address() as AddressInfo;
    url.host = `127.0.0.1:${address.port}`;
    await new Promise((resolve) => proxy.close(resolve));

    const applied = await onceDatabaseListens(() => migrate({ url: url.toString(), migrations: [first], log }), {
      onWait: () => void listenOn(address.port),
    });
    await new Promise((resolve) => proxy.close(resolve));

    expect(applied).toEqual([first.name]);
  });

  it('that need a locked table let queries on it pass, and are tried again', async () => {
    await migrate({ url: database.url, migrations: [first], log });
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('begin; lock table notes in access share mode');
    const waiting = memoryLog();

    const migrating = migrate({ url: database.url, migrations: [first, second], log: waiting });
    await eventually(async () => {
      const { rows } = await reader.query(
        `select from pg_locks where mode = 'AccessExclusiveLock' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length === 1;
    }, 'the migration waits for the table');
    // It is behind the migration, which gives up before its statement timeout passes.
    await asSuperuser(database.url, "set statement_timeout = '10s'; select count(*) from notes");
    await eventually(() => waiting.lines.some(({ message }) => message === 'migration.lock_awaited'), 'it is logged');
    await reader.query('commit');
    await reader.end();

    expect(await migrating).toEqual([second.name]);
  });

  it('roll back a failed step and keep the earlier steps', async () => {
    const broken: Migration = { name: second.name, sql: 'create table half (id int); select 1/0' };

    await expect(migrate({ url: database.url, migrations: [first, broken], log })).rejects.toThrow(/division by zero/);

    expect(await migrate({ url: database.url, migrations: [first, second], log })).toEqual([second.name]);
    expect(await dumpSchema(database.url)).not.toContain('half');
  });

  it('prevent a service from starting while one is pending', async () => {
    await migrate({ url: database.url, migrations: [first], log });

    await expect(open([first, second])).rejects.toThrow(PendingMigrationsError);
    await expect(open([first, second])).rejects.toThrow(second.name);
  });

  it('prevent a service from starting on an empty database', async () => {
    await expect(open([first])).rejects.toThrow(PendingMigrationsError);
  });

  it('let the previous version run on the schema of the new version, with a warning', async () => {
    await migrate({ url: database.url, migrations: [first, second], log });

    const db = await open([first]);
    await db.close();

    expect(log.lines).toContainEqual({ level: 'warn', message: 'database.schema_newer' });
    expect(await migrate({ url: database.url, migrations: [first], log })).toEqual([]);
  });

  it('are refused when an applied one was edited', async () => {
    await migrate({ url: database.url, migrations: [first, second], log });
    const edited = { ...first, sql: `${first.sql} -- harmless` };

    await expect(open([edited, second])).rejects.toThrow(ChangedMigrationError);
    await expect(migrate({ url: database.url, migrations: [edited, second, third], log })).rejects.toThrow(
      ChangedMigrationError,
    );
    await expect(open([first, second, third])).rejects.toThrow(PendingMigrationsError);
  });

  it('are refused without a time in the name and with a name used twice', async () => {
    await expect(migrate({ url: database.url, migrations: [{ name: 'create-notes', sql: '' }], log })).rejects.toThrow(
      RangeError,
    );
    await expect(migrate({ url: database.url, migrations: [first, first], log })).rejects.toThrow(/two migrations/);
  });
});

describe('the dump of a schema', () => {
  const STRUCTURE = `
    create type colour as enum ('red', 'green');
    create table things (
      id uuid primary key, seq bigint generated always as identity, name text not null default 'x', c colour,
      upper_name text generated always as (upper(name)) stored, constraint name_short check (length(name) < 9)
    ) with (fillfactor = 70);
    create unique index things_name on things (lower(name)) where name <> '';
    create table parts (id int primary key, thing uuid references things (id) on delete cascade);
    create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
    create trigger touched before update on things for each row execute function touch();`;

  it('is the same for the same structure, regardless of its history', async () => {
    const [one, two] = [await scratchDatabase(), await scratchDatabase()];
    await asSuperuser(one.url, STRUCTURE);
    await asSuperuser(
      two.url,
      `create table extra (id int); drop table extra; ${STRUCTURE}; insert into parts values (1, null)`,
    );

    const [dumpOne, again, dumpTwo] = [await dumpSchema(one.url), await dumpSchema(one.url), await dumpSchema(two.url)];
    await one.drop();
    await two.drop();

    expect(again).toBe(dumpOne);
    expect(dumpTwo).toBe(dumpOne);
  });

  it('leaves out the parts that a library has dumped, and names the file of the library', async () => {
    const [library, service] = [await scratchDatabase(), await scratchDatabase()];
    await asSuperuser(library.url, 'create table boxes (id int); create table shelves (id int);');
    await asSuperuser(
      service.url,
      'create table boxes (id int); create table notes (id int); create table shelves (n int);',
    );
    const libraries = [
      { path: 'libs/boxes/schema.sql', text: await dumpSchema(library.url) },
      { path: 'libs/other/schema.sql', text: 'table others (\n  id integer\n);\n' },
    ];

    const dump = await dumpSchema(service.url, libraries);
    await library.drop();
    await service.drop();

    expect(dump.split('\n')[0]).toBe('-- The schema also contains the tables of libs/boxes/schema.sql.');
    // The table of the library that differs is not left out.
    expect(dump.match(/^table \w+/gm)).toEqual(['table notes', 'table shelves']);
  });

  it('changes with every part of the structure', async () => {
    const changes = [
      'alter table parts add column n int',
      `alter table things alter column name set default 'y'`,
      'alter table parts alter column thing set not null',
      'alter table things drop constraint name_short',
      'drop index things_name',
      'drop trigger touched on things',
      `alter type colour add value 'blue'`,
      'alter table things set (fillfactor = 80)',
      'alter table things alter column name set statistics 10',
      'create or replace function touch() returns trigger language plpgsql as $$ begin return null; end $$',
    ];
    const database = await scratchDatabase();
    await asSuperuser(database.url, STRUCTURE);
    const dumps = [await dumpSchema(database.url)];

    for (const change of changes) {
      await asSuperuser(database.url, change);
      dumps.push(await dumpSchema(database.url));
    }
    await database.drop();

    expect(new Set(dumps).size).toBe(changes.length + 1);
    expect(dumps[0]).toContain(`name text default 'x'::text not null`);
    expect(dumps[0]).toContain('with (fillfactor=70)');
  });
});
