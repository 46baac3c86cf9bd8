import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { ApiKeyRecord } from '../domain/records';
import { assertApiKeyMove } from './assert-api-key-move';

/** `isLocked: false` unlocks the key. */
export function lockApiKey(
  deps: ChangeDeps,
  tx: Transaction,
  { apiKeyId, isLocked }: { readonly apiKeyId: string; readonly isLocked: boolean },
): Promise<ApiKeyRecord> {
  return changeRecord(deps, tx, 'api_key', apiKeyId, (before, now) => {
    assertApiKeyMove(before, isLocked ? 'lock' : 'unlock', now);
    return { action: isLocked ? 'api_key.locked' : 'api_key.unlocked', fields: { isLocked } };
  });
}
