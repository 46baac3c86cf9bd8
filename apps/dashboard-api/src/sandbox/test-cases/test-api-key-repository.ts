import { statement, type Queryable, type Transaction } from '@pay/persistence';

export interface TestApiKeyRow {
  readonly apiKeyId: string;
  readonly sealedKey: string;
  readonly expiresAt: Date;
}

const FIND = statement(
  'find-test-api-key',
  `select api_key_id as "apiKeyId", sealed_key as "sealedKey", expires_at as "expiresAt" from test_api_keys where merchant_id = $1`,
);
const STORE = statement(
  'store-test-api-key',
  `insert into test_api_keys (merchant_id, api_key_id, sealed_key, expires_at) values ($1, $2, $3, $4)
   on conflict (merchant_id) do update set api_key_id = excluded.api_key_id, sealed_key = excluded.sealed_key,
     expires_at = excluded.expires_at`,
);

export async function findTestApiKey(db: Queryable, merchantId: string): Promise<TestApiKeyRow | undefined> {
  return (await db.query<TestApiKeyRow>(FIND, [merchantId]))[0];
}

export async function storeTestApiKey(
  tx: Transaction,
  merchantId: string,
  { apiKeyId, sealedKey, expiresAt }: TestApiKeyRow,
): Promise<void> {
  await tx.execute(STORE, [merchantId, apiKeyId, sealedKey, expiresAt]);
}
