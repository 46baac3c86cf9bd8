import type { ApiKeyScope, Tenant } from '@pay/contracts';
import { newCredential } from '@pay/directory';
import { hashKey } from '@pay/http';
import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { apiKeys } from '../db/tables';
import { begun } from '../domain/records';
import { lockMerchant } from '../changes/lock-record';
import { Refusal } from '../changes/refusal';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface IssueApiKeyInput {
  readonly tenant: Tenant;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly expiresAt?: Date | undefined;
  /** Set by the caller when seeding; otherwise generated. */
  readonly apiKey?: string | undefined;
  /** Maximum number of other keys in use at the tenant; absent: unlimited. `except` is about to be replaced. */
  readonly limit?: { readonly mostOthers: number; readonly except?: string } | undefined;
}

/** The key is returned once; only its SHA-256 is stored. */
export async function issueApiKey(
  deps: ChangeDeps,
  tx: Transaction,
  { tenant, name, scopes, expiresAt, apiKey = newApiKey(tenant), limit }: IssueApiKeyInput,
): Promise<{ apiKeyId: string; apiKey: string }> {
  await lockMerchant(tx, tenant.merchantId);
  const now = deps.now();
  if (expiresAt !== undefined && expiresAt <= now) {
    throw new Refusal('expires', 'the expiry must be in the future', 'TIME_OUT_OF_RANGE');
  }
  if (limit) {
    // The lock on the merchant prevents two requests from counting the same keys.
    const others = await apiKeys.countBy(tx, 'inUseBeside', [
      tenant.merchantId,
      tenant.environment,
      now,
      limit.except ?? null,
    ]);
    if (others > limit.mostOthers)
      throw new Refusal('apiKey', 'the maximum number of API keys is reached', 'API_KEY_LIMIT_REACHED');
  }
  const fields = {
    id: deps.newId(),
    ...tenant,
    name,
    keyHash: hashKey(apiKey),
    lastFour: apiKey.slice(-4),
    scopes,
    isLocked: false,
    revokedAt: null,
  };
  const after = begun({ ...fields, expiresAt: expiresAt ?? null }, now);
  try {
    await storeChange(deps, tx, { kind: 'api_key', action: 'api_key.issued', after });
  } catch (error) {
    if (isUniqueViolation(error, 'api_keys_one_per_hash')) throw new Refusal('apiKey', 'this API key exists already');
    throw error;
  }
  return { apiKeyId: after.id, apiKey };
}

function newApiKey({ environment }: Tenant): string {
  return newCredential(environment === 'LIVE' ? 'sk_live_' : 'sk_test_');
}
