import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpSchema, migrate } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { librarySchemas, testDatabase } from '@pay/testing';
import { migrations } from '../src/db/migrations';

const log = createLogger({ service: 'sms-ingest', level: 'silent' });

describe('the schema of sms-ingest', () => {
  it('equals db/schema.sql after all migrations', async () => {
    const database = await testDatabase({ service: 'sms-ingest', migrate: (url) => migrate({ url, migrations, log }) });

    const dump = await dumpSchema(database.url, librarySchemas());
    await database.drop();

    expect(dump).toBe(readFileSync(join(__dirname, '..', 'src', 'db', 'schema.sql'), 'utf8'));
  });
});
