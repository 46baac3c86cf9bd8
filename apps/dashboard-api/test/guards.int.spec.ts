import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpSchema } from '@pay/persistence';
import { failOnLeaks, librarySchemas } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { addReceiverAccount } from '../src/receivers/add-receiver-account';
import { createMerchant } from '../src/merchants/create-merchant';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('dashboard-api guards', () => {
  let service: ServiceUnderTest;
  let merchantId: string;
  let apiKeyId: string;
  let receiverAccountId: string;

  beforeAll(async () => {
    service = await startService();
    await service.change(async (deps, tx) => {
      ({ merchantId } = await createMerchant(deps, tx, { name: 'Boi Bazar', enabledMethods: ['BKASH_PAYMENT'] }));
      const tenant = { merchantId, environment: 'SANDBOX' as const };
      ({ apiKeyId } = await issueApiKey(deps, tx, { tenant, name: 'Shop', scopes: ['payments:read'] }));
      const wallet = { tenant, paymentMethod: 'BKASH_PAYMENT' as const, msisdn: '01712345678' };
      ({ receiverAccountId } = await addReceiverAccount(deps, tx, wallet));
    });
  });
  afterAll(() => service.stop());

  const sha256 = () => createHash('sha256').update(randomUUID()).digest('hex');

  const insertKey = (change: Record<string, unknown>) => {
    const row = {
      id: uuidv7(),
      version: 1,
      merchant_id: merchantId,
      environment: 'SANDBOX',
      name: 'Key',
      key_hash: sha256(),
      scopes: ['payments:read'],
      is_locked: false,
      created_at: new Date(),
      updated_at: new Date(),
      ...change,
    };
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    return service.db.execute(`insert into api_keys (${names.join()}) values (${places.join()})`, Object.values(row));
  };

  describe('writes that the database refuses from any program', () => {
    it.each<[string, Record<string, unknown>, string]>([
      ['an environment that does not exist', { environment: 'TEST' }, 'api_keys_environment_check'],
      ['a key instead of its hash', { key_hash: 'sk_test_abc' }, 'api_keys_key_hash_check'],
      ['a scope that does not exist', { scopes: ['payments:refund'] }, 'api_keys_scopes_check'],
      ['no scope at all', { scopes: [] }, 'api_keys_scopes_check'],
      ['an empty name', { name: ' ' }, 'api_keys_name_check'],
      ['a merchant that does not exist', { merchant_id: uuidv7() }, 'api_keys_merchant_id_fkey'],
    ])('an API key with %s', async (_name, change, constraint) => {
      await expect(insertKey(change)).rejects.toMatchObject({ constraint });
    });

    it('the same key hash twice', async () => {
      const key_hash = sha256();
      await insertKey({ key_hash });

      await expect(insertKey({ key_hash })).rejects.toMatchObject({ constraint: 'api_keys_one_per_hash' });
    });

    it.each([
      ['a change without a new version', 'update api_keys set is_locked = true where id = $1'],
      ['a change that skips a version', 'update api_keys set version = version + 2 where id = $1'],
      ['a change that goes back', 'update api_keys set version = version - 1 where id = $1'],
      [
        'a key that moves to the other environment',
        `update api_keys set version = version + 1, environment = 'LIVE' where id = $1`,
      ],
      ['a row that vanishes', 'delete from api_keys where id = $1'],
    ])('%s', async (_name, sql) => {
      await expect(service.db.execute(sql, [apiKeyId])).rejects.toMatchObject({ code: '23514' });
    });

    it('a wallet number that is none', async () => {
      const sql = `update receiver_accounts set version = version + 1, msisdn = '+8801712345678' where id = $1`;

      await expect(service.db.execute(sql, [receiverAccountId])).rejects.toMatchObject({
        constraint: 'receiver_accounts_msisdn_check',
      });
    });

    it('a password that is not hashed with Argon2id', async () => {
      const sql = `insert into users (id, version, merchant_id, email, name, role, password_hash, is_active, created_at, updated_at)
                   values ($1, 1, $2, 'a@b.example', 'A', 'OWNER', 'secret', true, now(), now())`;

      await expect(service.db.execute(sql, [uuidv7(), merchantId])).rejects.toMatchObject({
        constraint: 'users_password_hash_check',
      });
    });

    it.each([
      ['changed', `update audit_log set actor = 'nobody'`],
      ['shortened', 'delete from audit_log'],
      ['emptied', 'truncate audit_log'],
    ])('an audit log that is %s', async (_name, sql) => {
      await expect(service.db.execute(sql)).rejects.toThrow('only added to');
    });
  });

  it('the schema in the repository is the one that the migrations make', async () => {
    const committed = readFileSync(join(__dirname, '..', 'src', 'db', 'schema.sql'), 'utf8');

    await expect(dumpSchema(service.databaseUrl, librarySchemas())).resolves.toBe(committed);
  });
});
