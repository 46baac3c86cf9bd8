import {
  command,
  count,
  enqueued,
  enqueuedRows,
  firstRow,
  inTransaction,
  mapped,
  migrate,
  onlyRow,
  openDatabase,
  pageOfRows,
  rows,
  type Database,
  type Transaction,
} from '../src';
import { memoryLog, scratchDatabase } from './scratch-database';

const migrations = [{ name: '20260101000000-create-notes', sql: 'create table notes (id int primary key, text text)' }];

interface Note {
  readonly id: number;
  readonly text: string;
}

const insertNote = command('insert-note', 'insert into notes (id, text) values ($1, $2)', ({ id, text }: Note) => [
  id,
  text,
]);
const renameNotes = command<[from: number, text: string]>('rename-notes', 'update notes set text = $2 where id >= $1');
const renameLater = enqueued<[id: number, text: string]>('rename-later', 'update notes set text = $2 where id = $1');
const renameAllLater = enqueuedRows(
  'rename-all-later',
  'update notes set text = $2 where id = any($1::int[])',
  (ids: readonly number[], text: string) => [ids, text],
);
const notesAfter = rows<Note, [id: number]>('notes-after', 'select id, text from notes where id > $1 order by id');
const findNote = firstRow<Note, [id: number]>('find-note', 'select id, text from notes where id = $1');
const lockNote = inTransaction.firstRow<Note, [id: number]>(
  'lock-note',
  'select id, text from notes where id = $1 for update',
);
const textsAfter = mapped(({ text }: Note) => text).rows<[id: number]>(
  'texts-after',
  'select id, text from notes where id > $1 order by id',
);
const findText = mapped(({ text }: Note) => text).firstRow<[id: number]>(
  'find-text',
  'select id, text from notes where id = $1',
);
const lockTexts = inTransaction
  .mapped(({ text }: Note) => text)
  .rows('lock-texts', 'select id, text from notes order by id for update');
const longestId = onlyRow<{ readonly id: number | null }>('longest-id', 'select max(id) as id from notes');
const requireNote = onlyRow<Note, [id: number]>('require-note', 'select id, text from notes where id = $1');
const countNotes = count<[text: string]>('count-notes', 'select count(*)::integer as total from notes where text = $1');
const pageOfNotes = pageOfRows<Note, [text: string]>('notes', {
  columns: 'id, text',
  from: 'from notes where text = $1',
  order: 'id desc',
});

describe('a named query', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let db: Database;
  const log = memoryLog();

  beforeAll(async () => {
    database = await scratchDatabase();
    await migrate({ url: database.url, migrations, log });
    db = await openDatabase({ url: database.url, poolSize: 2, applicationName: 'spec', log, migrations });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  beforeEach(async () => {
    await db.execute('truncate notes');
    for (const id of [1, 2, 3]) await insertNote(db, { id, text: 'a' });
  });

  it('passes its input as parameters in order and returns the rows', async () => {
    expect(await notesAfter(db, 1)).toEqual([
      { id: 2, text: 'a' },
      { id: 3, text: 'a' },
    ]);
  });

  it('returns the first row, or undefined without rows', async () => {
    expect([await findNote(db, 2), await findNote(db, 4)]).toEqual([{ id: 2, text: 'a' }, undefined]);
  });

  it('returns the values that its rows are mapped to, and undefined for a missing first row', async () => {
    expect(await textsAfter(db, 1)).toEqual(['a', 'a']);
    expect([await findText(db, 1), await findText(db, 4)]).toEqual(['a', undefined]);
  });

  it('returns the only row, and throws with the name of the statement without rows', async () => {
    expect(await longestId(db)).toEqual({ id: 3 });
    await expect(requireNote(db, 4)).rejects.toThrow('invariant: require-note returns one row');
  });

  it('returns the number of affected rows of a command', async () => {
    expect(await renameNotes(db, 2, 'b')).toBe(2);
  });

  it('counts', async () => {
    expect([await countNotes(db, 'a'), await countNotes(db, 'b')]).toEqual([3, 0]);
  });

  it('returns a page with the total of all pages', async () => {
    const page = await pageOfNotes(db, { page: 2, limit: 2 }, 'a');

    expect(page).toEqual({ data: [{ id: 1, text: 'a' }], total: 3, page: 2, limit: 2 });
  });

  it('is sent with COMMIT when it is enqueued', async () => {
    await db.transaction(async (tx) => renameLater(tx, 1, 'later'));

    expect(await findNote(db, 1)).toEqual({ id: 1, text: 'later' });
  });

  it('is sent with COMMIT for the rows of a list, and not for an empty list', async () => {
    const sent: unknown[] = [];
    await db.transaction(async (tx) => renameAllLater(tx, [1, 3], 'later'));
    renameAllLater({ enqueue: (...given: unknown[]) => sent.push(given) } as unknown as Transaction, [], 'never');

    expect((await notesAfter(db, 0)).map(({ text }) => text)).toEqual(['later', 'a', 'later']);
    expect(sent).toEqual([]);
  });

  it('of a lock accepts only a transaction', async () => {
    const locked = await db.transaction((tx) => lockNote(tx, 1));
    // @ts-expect-error a lock outside a transaction would end with its statement
    const unlocked = await lockNote(db, 2);

    expect([locked, unlocked]).toEqual([
      { id: 1, text: 'a' },
      { id: 2, text: 'a' },
    ]);
  });

  it('of a lock accepts only a transaction if its rows are mapped', async () => {
    const locked = await db.transaction((tx) => lockTexts(tx));
    // @ts-expect-error a lock outside a transaction would end with its statement
    const unlocked = await lockTexts(db);

    expect([locked, unlocked]).toEqual([
      ['a', 'a', 'a'],
      ['a', 'a', 'a'],
    ]);
  });
});
