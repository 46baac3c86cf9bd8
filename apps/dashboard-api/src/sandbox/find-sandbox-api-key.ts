import type { ApiKeyFact } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { noteApiKeyUses } from '../api-keys/api-key-use-repository';
import { apiKeys, merchants } from '../db/tables';
import { stateOf } from '../domain/api-key-lifetime';
import { apiKeyFact } from '../domain/facts';

/** The last use of a key is stored at most once in this time. */
const USE_INTERVAL_MS = 60_000;
const MOST_REMEMBERED = 10_000;

/** Reads the tables of this service instead of a directory copy, because this service owns them. */
export function sandboxApiKeys({ db, now }: { readonly db: Queryable; readonly now: () => Date }) {
  const noted = new Map<string, number>();

  async function note(apiKeyId: string, at: Date): Promise<void> {
    if (at.getTime() - (noted.get(apiKeyId) ?? -Infinity) < USE_INTERVAL_MS) return;
    if (noted.size >= MOST_REMEMBERED) noted.clear();
    noted.set(apiKeyId, at.getTime());
    await noteApiKeyUses(db, [{ apiKeyId, usedAt: at.toISOString() }]);
  }

  return async (key: string): Promise<ApiKeyFact | undefined> => {
    const record = await apiKeys.findBy(db, 'presentByHash', [hashKey(key)]);
    const at = now();
    if (record === undefined || stateOf(record, at) !== 'ACTIVE') return undefined;
    const merchant = await merchants.find(db, record.merchantId);
    if (merchant === undefined || !merchant.isActive || merchant.deletedAt !== null) return undefined;
    await note(record.id, at);
    return apiKeyFact(record);
  };
}
