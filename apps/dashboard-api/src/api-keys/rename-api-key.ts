import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { ApiKeyRecord } from '../domain/records';
import { assertApiKeyMove } from './assert-api-key-move';

export function renameApiKey(
  deps: ChangeDeps,
  tx: Transaction,
  { apiKeyId, name }: { readonly apiKeyId: string; readonly name: string },
): Promise<ApiKeyRecord> {
  return changeRecord(deps, tx, 'api_key', apiKeyId, (before, now) => {
    assertApiKeyMove(before, 'rename', now);
    return { action: 'api_key.renamed', fields: { name } };
  });
}
