import { randomUUID } from 'node:crypto';
import { migrate, openDatabase, type Database } from '../src';
import { memoryLog, scratchDatabase } from './scratch-database';

describe('array parameters', () => {
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

  it.each([
    ['none', []],
    ['empty and blank', ['', ' ']],
    ['texts that read as NULL, and NULL', ['null', 'NULL', null]],
    ['JSON, quotes, backslashes and braces', [JSON.stringify({ a: 'say "no" \\ {}' }), '{"",NULL}', '"', '\\', "'"]],
    ['Bangla, an emoji and line breaks', ['৳১,২৫০ পেয়েছেন', '🙂', 'one\r\ntwo\t']],
    ['many', Array.from({ length: 500 }, (_, number) => `${number}`.repeat(number))],
  ])('store texts unchanged: %s', async (_what, texts) => {
    const [row] = await db.query<{ back: unknown[] }>('select $1::text[] as back', [texts]);

    expect(row?.back).toEqual(texts);
  });

  it.each([
    ['uuid[]', [randomUUID(), randomUUID(), null]],
    ['int[]', [0, -7, 2_147_483_647]],
    ['bigint[]', ['9007199254740993', '-1']],
    ['float8[]', [0.1, 1e300, -2.5e-7]],
    ['boolean[]', [true, false, null]],
    ['timestamptz[]', [new Date('2026-11-22T12:00:00.123Z'), null]],
  ])('are stored unchanged as %s', async (type, given) => {
    const [row] = await db.query<{ back: unknown[] }>(`select $1::${type} as back`, [given]);

    expect(row?.back).toEqual(given);
  });

  it('are refused if they contain a text that Postgres cannot store', async () => {
    await expect(db.query('select $1::text[]', [['a\u0000b']])).rejects.toThrow('invalid byte sequence');
  });
});
