import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpSchema, migrate } from '@pay/persistence';
import { librarySchemas, testDatabase } from '@pay/testing';
import { migrations } from '../src/db/migrations';
import { silent } from './session-under-test';

describe('the schema of reconciler', () => {
  it('equals db/schema.sql after all migrations', async () => {
    const database = await testDatabase({
      service: 'reconciler',
      migrate: (url) => migrate({ url, migrations, log: silent }),
    });

    const dump = await dumpSchema(database.url, librarySchemas());
    await database.drop();

    expect(dump).toBe(readFileSync(join(__dirname, '..', 'src', 'db', 'schema.sql'), 'utf8'));
  });
});
