import { daysBefore, deleteOldRows, firstIdAt, migrate, oldRowsInOrder, openDatabase, type Database } from '../src';
import { memoryLog, scratchDatabase } from './scratch-database';

const migrations = [
  {
    name: '20260101000000-create-tables',
    sql: `create table retention_positions (name text primary key, position text, restarted_at timestamptz not null default now());
      create table notes (id uuid primary key, is_open boolean not null default false, at timestamptz);
      create index notes_by_time on notes (at);
      create table answers (note_id uuid not null references notes (id));
      create index answers_of_note on answers (note_id);`,
  },
];
const never = new AbortController().signal;
const NOW = new Date('2026-11-22T12:00:00Z');
const OLD = daysBefore(NOW, 10);
const YOUNG = daysBefore(NOW, 1);

describe('deleteOldRows', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let db: Database;

  beforeAll(async () => {
    const log = memoryLog();
    database = await scratchDatabase();
    await migrate({ url: database.url, migrations, log });
    db = await openDatabase({ url: database.url, poolSize: 4, applicationName: 'spec', log, migrations });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  beforeEach(() => db.execute('truncate notes, answers, retention_positions'));

  const byId = oldRowsInOrder({
    name: 'notes by id',
    table: 'notes',
    order: 'id',
    orderType: 'uuid',
    before: firstIdAt(daysBefore(NOW, 5)),
    deletable: 'not is_open',
    also: 'answered as (delete from answers using gone where answers.note_id = gone.id)',
  });
  const byTime = oldRowsInOrder({
    name: 'notes by time',
    table: 'notes',
    order: 'at',
    orderType: 'timestamptz',
    before: daysBefore(NOW, 5),
    deletable: 'not is_open',
  });

  /** Rows with a time; ids of the same millisecond are consecutive. */
  async function notes(time: Date, count: number, isOpen = false): Promise<void> {
    await db.execute(
      `insert into notes (id, is_open, at)
       select (left($1::text, 24) || lpad(to_hex((select count(*) from notes) + n), 12, '0'))::uuid, $2, $3 from generate_series(1, $4::int) n`,
      [firstIdAt(time), isOpen, time, count],
    );
  }
  const count = async (table = 'notes') => Number((await db.query(`select count(*) as n from ${table}`))[0]?.['n']);
  const restart = () => db.execute(`update retention_positions set restarted_at = now() - interval '1 day'`);

  it.each([
    ['a UUID v7', byId],
    ['a time that all rows share', byTime],
  ])('deletes all old rows in the order of %s, in batches, and no newer rows', async (_, rows) => {
    await notes(OLD, 45);
    await notes(YOUNG, 5);

    expect(await deleteOldRows(db, [rows], never, { batch: 10 })).toEqual({ [rows.name]: 45 });
    expect(await count()).toBe(5);
    expect(await deleteOldRows(db, [rows], never, { batch: 10 })).toEqual({});
  });

  it('deletes all rows of a UUID that several rows share, also where a batch ends between them', async () => {
    await notes(OLD, 15);
    await db.execute('insert into answers (note_id) select id from notes, generate_series(1, 3)');
    const byNote = oldRowsInOrder({
      name: 'answers by note',
      table: 'answers',
      order: 'note_id',
      orderType: 'uuid',
      isUnique: false,
      before: firstIdAt(daysBefore(NOW, 5)),
    });

    expect(await deleteOldRows(db, [byNote], never, { batch: 10 })).toEqual({ [byNote.name]: 45 });
    expect(await count('answers')).toBe(0);
  });

  it('skips rows that must stay, and deletes them when it starts over a day later', async () => {
    await notes(OLD, 25, true);
    await notes(OLD, 25);
    await deleteOldRows(db, [byId], never, { batch: 10 });
    expect(await count()).toBe(25);

    await db.execute('update notes set is_open = false');
    await deleteOldRows(db, [byId], never, { batch: 10 });
    expect(await count()).toBe(25);
    await restart();
    await deleteOldRows(db, [byId], never, { batch: 10 });
    expect(await count()).toBe(0);
  });

  it('ends when a full batch with one time must stay', async () => {
    await notes(OLD, 25, true);

    expect(await deleteOldRows(db, [byTime], never, { batch: 10 })).toEqual({});
  });

  it('deletes rows of other tables in the same statement', async () => {
    await notes(OLD, 3);
    await db.execute('insert into answers (note_id) select id from notes');

    await deleteOldRows(db, [byId], never);

    expect([await count(), await count('answers')]).toEqual([0, 0]);
  });

  it('skips a row that another transaction has locked, and deletes it in a later sweep', async () => {
    await notes(OLD, 3);
    await db.transaction(async (tx) => {
      await tx.query('select 1 from notes order by id limit 1 for update');
      await deleteOldRows(db, [byId], never);
    });
    expect(await count()).toBe(1);

    await restart();
    await deleteOldRows(db, [byId], never);
    expect(await count()).toBe(0);
  });

  it('skips a table that another replica is cleaning', async () => {
    await deleteOldRows(db, [byId], never);
    await notes(OLD, 3);
    await db.transaction(async (tx) => {
      await tx.query(`select 1 from retention_positions where name = 'notes by id' for update`);
      await deleteOldRows(db, [byId], never);
    });
    expect(await count()).toBe(3);
  });

  it('deletes from the other tables when one fails, and then throws', async () => {
    await notes(OLD, 3);
    const broken = oldRowsInOrder({ table: 'nothing', order: 'id', orderType: 'uuid', before: firstIdAt(NOW) });

    await expect(deleteOldRows(db, [broken, byId], never)).rejects.toThrow('relation "nothing" does not exist');

    expect(await count()).toBe(0);
  });

  it('stops between two batches when the signal aborts', async () => {
    await notes(OLD, 30);
    const stop = new AbortController();
    const stopping = {
      ...byId,
      deleteBatch: (...given: Parameters<typeof byId.deleteBatch>) => {
        stop.abort();
        return byId.deleteBatch(...given);
      },
    };

    await deleteOldRows(db, [stopping], stop.signal, { batch: 10 });

    expect(await count()).toBe(20);
  });
});
