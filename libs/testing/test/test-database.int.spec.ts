import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { failOnLeaks, postgresUrl, testDatabase, type TestDatabase } from '../src';

failOnLeaks();

describe('a test database', () => {
  const content = `spec ${process.pid} ${Date.now()}`;
  let migrations = 0;
  const opened: TestDatabase[] = [];

  const open = async () => {
    const database = await testDatabase({
      service: 'reconciler',
      content,
      migrate: async (url) => {
        migrations += 1;
        await query(url, 'create table notes (text text)');
      },
    });
    opened.push(database);
    return database;
  };

  afterAll(async () => {
    for (const database of opened) await database.drop();
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
    await query(postgresUrl(), `drop database template_reconciler_${hash}`);
  });

  it('is migrated once, copied for each concurrent caller, and not shared', async () => {
    const [one, other] = await Promise.all([open(), open()]);

    await query(one.url, `insert into notes values ('only here')`);

    expect(migrations).toBe(1);
    expect(await query(one.url, 'select text from notes')).toEqual([{ text: 'only here' }]);
    expect(await query(other.url, 'select text from notes')).toEqual([]);
  });

  it("uses a role that is not superuser, in the service's schema", async () => {
    const { url } = await open();

    expect(
      await query(
        url,
        `select current_schema() as schema, rolsuper as super from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ schema: 'reconciler', super: false }]);
  });

  it('is removed by drop, even with an open session', async () => {
    const { url, drop } = await open();
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();

    await drop();

    await expect(query(url, 'select 1')).rejects.toThrow('does not exist');
    await client.end().catch(() => undefined);
  });
});

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
