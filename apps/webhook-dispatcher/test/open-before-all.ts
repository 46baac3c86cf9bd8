import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { testDatabase, type TestDatabase } from '@pay/testing';
import { migrations } from '../src/db/migrations';
import type { ClaimRoom } from '../src/delivery/delivery-repository';

const service = 'webhook-dispatcher';
export const log = createLogger({ service, level: 'silent' });

/** Room of a dispatcher that is sending nothing. */
export const IDLE_ROOM: ClaimRoom = {
  total: 200,
  unreserved: 150,
  perEndpoint: 8,
  named: new Map(),
  unverified: new Map(),
  isOldestPreferred: false,
};

/** Opens a migrated database before the tests of this `describe`, and deletes it after them. */
export function openBeforeAll(use: (db: Database) => void, { poolSize = 1 } = {}): void {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log }) });
    db = await openDatabase({ url: database.url, poolSize, applicationName: service, log, migrations });
    use(db);
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
}
