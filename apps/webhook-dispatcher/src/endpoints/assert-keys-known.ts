import type { Queryable } from '@pay/persistence';
import { requireKeys, type EncryptionKey } from '@pay/runtime';
import { encryptionKeysInUse } from './endpoint-repository';

/** A key that left the configuration too early would fail every delivery that it signs. Throws then. */
export async function assertKeysKnown(db: Queryable, keys: readonly EncryptionKey[]): Promise<void> {
  const used = await encryptionKeysInUse(db);
  requireKeys('SECRET_ENCRYPTION_KEYS', keys, { used, stored: 'secrets of endpoints' });
}
