import type { Transaction } from '@pay/persistence';
import { changed, type ApiKeyRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

/** For good; the first revocation's time stays. Everywhere in about a second. */
export async function revokeApiKey(
  deps: ChangeDeps,
  tx: Transaction,
  { apiKeyId }: { apiKeyId: string },
): Promise<ApiKeyRecord> {
  const before = await lockRecord(tx, 'api_key', apiKeyId);
  const now = deps.now();
  const after = changed(before, { revokedAt: before.revokedAt ?? now }, now);
  await storeChange(deps, tx, { kind: 'api_key', action: 'api_key.revoked', before, after });
  return after;
}
