import type { Queryable } from '@pay/persistence';
import { requireKeys, type EncryptionKey } from '@pay/runtime';
import { encryptionKeysInUse } from './endpoint-repository';

/**
 * Throws if the encryption key of a stored secret is not configured, because every delivery with that secret would
 * fail.
 */
export async function assertKeysKnown(db: Queryable, keys: readonly EncryptionKey[]): Promise<void> {
  const used = await encryptionKeysInUse(db);
  requireKeys('SECRET_ENCRYPTION_KEYS', keys, { used, stored: 'secrets of endpoints' });
}
