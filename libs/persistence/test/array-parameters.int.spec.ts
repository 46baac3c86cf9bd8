import { randomUUID } from 'node:crypto';
import { migrate, openDatabase, textArray, type Database } from '../src';
import { plainArray } from '../src/plain-array';
import { memoryLog, scratchDatabase } from './scratch-database';

describe('array parameters', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let db: Database;

  beforeAll(async () => {
    database = await scratchDatabase();
    await migrate({ url: database.url, migrations: [], log: memoryLog() });
    db = await openDatabase({
      ...{ url: database.url, poolSize: 1, applicationName: 'spec', log: memoryLog(), migrations: [] },
    });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  describe('an array', () => {
    const texts = [
      ['', 'null', 'NULL', 'Null', 'nullable', ' '],
      ['a,b', '{}', '"', '\\', "'", '(x)', 'a b', '\n', '\t'],
      ['2026-11-22T12:00:00.000Z', 'intent.created', '+880', '-1', '1e3', 'payment_intents', 'BKASH:SEND'],
      ['৳১২', '🙂', 'é'],
    ];

    it.each([...texts, texts.flat(), [], [null], ['a', null, undefined, 'b']].map((given) => [given]))(
      'comes through as it is: %j',
      async (given) => {
        const [row] = await db.query<{ back: unknown[] }>('select $1::text[] as back', [given]);

        expect(row?.back).toEqual(given.map((text) => text ?? null));
      },
    );

    it.each([
      ['uuid[]', [randomUUID(), randomUUID(), null]],
      ['int[]', [0, -7, 2_147_483_647]],
      ['bigint[]', ['9007199254740993', '-1']],
      ['float8[]', [0.1, 1e300, -2.5e-7]],
    ])('is stored unchanged as %s', async (type, given) => {
      const [row] = await db.query<{ back: unknown[] }>(`select $1::${type} as back`, [given]);

      expect(row?.back).toEqual(given);
    });

    it.each([
      ['booleans, times and lists', [true, new Date(0), ['a']]],
      ['an empty text', ['']],
      ['a text that reads as NULL', ['a', 'NULL']],
    ])('is serialized by the driver if it contains %s', (_what, given) => {
      expect(plainArray(given)).toBeUndefined();
    });
  });

  describe('a text array', () => {
    const sentAndReturned = async (texts: readonly string[]) =>
      (await db.query<{ texts: string[] }>('select $1::text[] as texts', [textArray(texts)]))[0]?.texts;

    it.each([
      ['none', []],
      ['an empty one', ['']],
      ['JSON, quotes, backslashes and braces', [JSON.stringify({ a: 'say "no" \\ {}' }), '{"",NULL}', 'NULL', '\\']],
      ['Bangla, an emoji and line breaks', ['৳১,২৫০ পেয়েছেন', '🙂', 'one\r\ntwo\t']],
      ['many', Array.from({ length: 500 }, (_, number) => `${number}`.repeat(number))],
    ])('stores texts unchanged: %s', async (_what, texts) => {
      expect(await sentAndReturned(texts)).toEqual(texts);
    });

    it('is refused if it contains a text that Postgres cannot store', async () => {
      await expect(sentAndReturned(['a\u0000b'])).rejects.toThrow('invalid byte sequence');
    });
  });
});
