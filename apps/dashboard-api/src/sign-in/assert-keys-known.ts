import type { Queryable } from '@pay/persistence';
import { requireKeys, type EncryptionKey } from '@pay/runtime';
import { secondFactorKeysInUse } from './second-factor-repository';

/** Throws if a key in use is not configured, because users with an authenticator app could not log in. */
export async function assertKeysKnown(db: Queryable, keys: readonly EncryptionKey[]): Promise<void> {
  const used = await secondFactorKeysInUse(db);
  requireKeys('TOTP_ENCRYPTION_KEYS', keys, { used, stored: 'secrets of authenticator apps' });
}
