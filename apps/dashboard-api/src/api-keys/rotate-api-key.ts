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
  /** Of the new key; never when absent. */
  readonly expiresAt?: Date | undefined;
  /** Most keys of the tenant that may be in use beside the two; not limited when absent. */
  readonly mostOthers?: number | undefined;
}

/**
 * Another key with the same name and scopes; the new key is answered once. Both keys are versions and audit entries of
 * their own.
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
