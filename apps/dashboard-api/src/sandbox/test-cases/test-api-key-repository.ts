import { firstRow, inTransaction } from '@pay/persistence';

export interface TestApiKeyRow {
  readonly apiKeyId: string;
  readonly sealedKey: string;
  readonly expiresAt: Date;
}

export const findTestApiKey = firstRow<TestApiKeyRow, [merchantId: string]>(
  'find-test-api-key',
  `select api_key_id as "apiKeyId", sealed_key as "sealedKey", expires_at as "expiresAt" from test_api_keys where merchant_id = $1`,
);

export const storeTestApiKey = inTransaction.command(
  'store-test-api-key',
  `insert into test_api_keys (merchant_id, api_key_id, sealed_key, expires_at) values ($1, $2, $3, $4)
   on conflict (merchant_id) do update set api_key_id = excluded.api_key_id, sealed_key = excluded.sealed_key,
     expires_at = excluded.expires_at`,
  (merchantId: string, { apiKeyId, sealedKey, expiresAt }: TestApiKeyRow) => [
    ...[merchantId, apiKeyId, sealedKey, expiresAt],
  ],
);
