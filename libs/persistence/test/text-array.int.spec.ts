import { migrate, openDatabase, textArray, type Database } from '../src';
import { memoryLog, scratchDatabase } from './scratch-database';

describe('a text array', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let db: Database;

  beforeAll(async () => {
    database = await scratchDatabase();
    await migrate({ url: database.url, migrations: [], log: memoryLog() });
    db = await openDatabase({
      url: database.url,
      poolSize: 1,
      applicationName: 'spec',
      log: memoryLog(),
      migrations: [],
    });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  const sentAndReturned = async (texts: readonly string[]) =>
    (await db.query<{ texts: string[] }>('select $1::text[] as texts', [textArray(texts)]))[0]?.texts;

  it.each([
    ['none', []],
    ['an empty one', ['']],
    ['JSON, quotes, backslashes and braces', [JSON.stringify({ a: 'say "no" \\ {}' }), '{"",NULL}', 'NULL', '\\']],
    ['Bangla, an emoji and line breaks', ['৳১,২৫০ পেয়েছেন', '🙂', 'one\r\ntwo\t']],
    ['many', Array.from({ length: 500 }, (_, number) => `${number}`.repeat(number))],
  ])('brings texts through as they are: %s', async (_what, texts) => {
    expect(await sentAndReturned(texts)).toEqual(texts);
  });

  it('is refused with a text that Postgres cannot store, as others are', async () => {
    await expect(sentAndReturned(['a\u0000b'])).rejects.toThrow('invalid byte sequence');
  });
});
