import type { Transaction } from '@pay/persistence';
import { assertApiKeyMove } from './assert-api-key-move';
import { endAfterOverlap } from '../domain/api-key-lifetime';
import { changed, type ApiKeyRecord } from '../domain/records';
import { issueApiKey } from './issue-api-key';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface RotateApiKeyInput {
  readonly apiKeyId: string;
  /** How long the old key remains valid. 0 revokes it immediately. */
  readonly overlapSeconds: number;
  /** Of the new key. Absent: it never expires. */
  readonly expiresAt?: Date | undefined;
  /** Maximum number of other keys in use at the tenant besides these two; absent: unlimited. */
  readonly mostOthers?: number | undefined;
}

/**
 * The new key has the same name and scopes and is returned only once. Each key gets its own version and audit entry.
 */
export async function rotateApiKey(
  deps: ChangeDeps,
  tx: Transaction,
  { apiKeyId, overlapSeconds, expiresAt, mostOthers }: RotateApiKeyInput,
): Promise<{ apiKeyId: string; apiKey: string; replaced: ApiKeyRecord }> {
  const before = await lockRecord(tx, 'api_key', apiKeyId);
  const now = deps.now();
  assertApiKeyMove(before, 'rotate', now);
  const { merchantId, environment, name, scopes } = before;
  const limit = mostOthers === undefined ? undefined : { mostOthers, except: apiKeyId };
  const issued = await issueApiKey(deps, tx, { tenant: { merchantId, environment }, name, scopes, expiresAt, limit });
  const replaced = changed(before, endAfterOverlap(before, overlapSeconds, now), now);
  await storeChange(deps, tx, { kind: 'api_key', action: 'api_key.rotated', before, after: replaced });
  return { ...issued, replaced };
}
