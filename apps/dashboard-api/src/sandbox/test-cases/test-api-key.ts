import { DEFAULT_API_KEY_SCOPES, type Tenant } from '@pay/contracts';
import type { Queryable, Transaction } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import { apiKeys } from '../../db/tables';
import { stateOf } from '../../domain/api-key-lifetime';
import { issueApiKey } from '../../api-keys/issue-api-key';
import { lockMerchant } from '../../changes/lock-record';
import type { ManageDeps } from '../../changes/on-behalf-of';
import { findTestApiKey, storeTestApiKey } from './test-api-key-repository';

export interface TestApiKeyDeps extends ManageDeps {
  readonly testKeys: Pick<SecretBox, 'seal' | 'openOnce'>;
}

const LIFETIME_MS = 24 * 60 * 60_000;
/** A key with less remaining time is replaced, so that it does not expire during a run. */
const LEAST_LEFT_MS = 60 * 60_000;

/**
 * A SANDBOX key, valid for a day, for public API calls of runs. It is listed with the keys of the merchant, who may
 * revoke it.
 */
export async function testApiKey(deps: TestApiKeyDeps, merchantId: string): Promise<string> {
  const known = await usableKey(deps, deps.db, merchantId);
  if (known !== undefined) return known;
  const { db, messaging, now, newId, testKeys } = deps;
  return db.transaction(async (tx) => {
    await lockMerchant(tx, merchantId);
    const issuedMeanwhile = await usableKey(deps, tx, merchantId);
    if (issuedMeanwhile !== undefined) return issuedMeanwhile;
    const tenant: Tenant = { merchantId, environment: 'SANDBOX' };
    const expiresAt = new Date(now().getTime() + LIFETIME_MS);
    const input = { tenant, name: 'Sandbox test cases', scopes: DEFAULT_API_KEY_SCOPES, expiresAt };
    const { apiKeyId, apiKey } = await issueApiKey({ messaging, now, newId, actor: 'sandbox' }, tx, input);
    const sealedKey = testKeys.seal(merchantId, apiKey);
    await storeTestApiKey(tx, merchantId, { apiKeyId, sealedKey, expiresAt });
    return apiKey;
  });
}

async function usableKey(
  { now, testKeys }: Pick<TestApiKeyDeps, 'now' | 'testKeys'>,
  db: Queryable | Transaction,
  merchantId: string,
): Promise<string | undefined> {
  const row = await findTestApiKey(db, merchantId);
  if (row === undefined || row.expiresAt.getTime() - now().getTime() < LEAST_LEFT_MS) return undefined;
  const record = await apiKeys.find(db, row.apiKeyId);
  if (record === undefined || stateOf(record, now()) !== 'ACTIVE') return undefined;
  try {
    return testKeys.openOnce(merchantId, row.sealedKey);
  } catch {
    // The key that encrypted it was removed.
    return undefined;
  }
}
