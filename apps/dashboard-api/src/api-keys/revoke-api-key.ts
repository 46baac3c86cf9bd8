import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { ApiKeyRecord } from '../domain/records';

/** Permanent, and effective in all services within about a second. A repeated call keeps the time of the first one. */
export function revokeApiKey(
  deps: ChangeDeps,
  tx: Transaction,
  { apiKeyId }: { readonly apiKeyId: string },
): Promise<ApiKeyRecord> {
  return changeRecord(deps, tx, 'api_key', apiKeyId, ({ revokedAt }, now) => ({
    action: 'api_key.revoked',
    fields: { revokedAt: revokedAt ?? now },
  }));
}
