import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpSchema, gatherFewStatistics, migrate } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { testDatabase } from '@pay/testing';
import { directoryMigrations } from '../src';

const log = createLogger({ service: 'intent-api', level: 'silent' });
const migrations = [...directoryMigrations, gatherFewStatistics];

it('the tables of directory equal src/schema.sql', async () => {
  const database = await testDatabase({
    service: 'intent-api',
    migrate: (url) => migrate({ url, migrations, log }),
    content: migrations.map(({ sql }) => sql).join(),
  });

  const dump = await dumpSchema(database.url);
  await database.drop();

  expect(dump).toBe(readFileSync(join(__dirname, '..', 'src', 'schema.sql'), 'utf8'));
});
