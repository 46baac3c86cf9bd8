import type { Transaction } from '@pay/persistence';
import { assertApiKeyMove } from './assert-api-key-move';
import { changed, type ApiKeyRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface LockApiKeyInput {
  readonly apiKeyId: string;
  /** False unlocks it again. */
  readonly isLocked: boolean;
}

export async function lockApiKey(
  deps: ChangeDeps,
  tx: Transaction,
  { apiKeyId, isLocked }: LockApiKeyInput,
): Promise<ApiKeyRecord> {
  const before = await lockRecord(tx, 'api_key', apiKeyId);
  const now = deps.now();
  assertApiKeyMove(before, isLocked ? 'lock' : 'unlock', now);
  const after = changed(before, { isLocked }, now);
  await storeChange(deps, tx, {
    kind: 'api_key',
    action: isLocked ? 'api_key.locked' : 'api_key.unlocked',
    before,
    after,
  });
  return after;
}
