import type { Queryable } from '@pay/persistence';
import type { EncryptionKey } from '@pay/runtime';
import { encryptionKeysInUse } from './endpoint-repository';

/** A key that left the configuration too early would fail every delivery it seals; better not to start. Throws then. */
export async function assertKeysKnown(db: Queryable, keys: readonly EncryptionKey[]): Promise<void> {
  const known = new Set(keys.map(({ id }) => id));
  const missing = (await encryptionKeysInUse(db)).filter((id) => !known.has(id));
  if (missing.length > 0) {
    throw new Error(`SECRET_ENCRYPTION_KEYS lacks ${missing.join(', ')}, under which secrets of endpoints are stored.`);
  }
}
