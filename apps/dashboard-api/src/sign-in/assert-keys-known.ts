import type { Queryable } from '@pay/persistence';
import { requireKeys, type EncryptionKey } from '@pay/runtime';
import { encryptionKeysInUse } from './second-factor-repository';

/** Throws if a key in use is not configured: users could not log in, and test endpoints would refuse webhooks. */
export async function assertKeysKnown(db: Queryable, keys: readonly EncryptionKey[]): Promise<void> {
  const used = await encryptionKeysInUse(db);
  requireKeys('TOTP_ENCRYPTION_KEYS', keys, {
    used,
    stored: 'secrets of authenticator apps, mails and test endpoints',
  });
}
