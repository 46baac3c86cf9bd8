import type { Transaction } from '@pay/persistence';
import { assertApiKeyMove } from './assert-api-key-move';
import { changed, type ApiKeyRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export async function renameApiKey(
  deps: ChangeDeps,
  tx: Transaction,
  { apiKeyId, name }: { apiKeyId: string; name: string },
): Promise<ApiKeyRecord> {
  const before = await lockRecord(tx, 'api_key', apiKeyId);
  const now = deps.now();
  assertApiKeyMove(before, 'rename', now);
  const after = changed(before, { name }, now);
  await storeChange(deps, tx, { kind: 'api_key', action: 'api_key.renamed', before, after });
  return after;
}
