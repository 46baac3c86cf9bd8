import type { Queryable } from '@pay/persistence';
import { requireKeys, type EncryptionKey } from '@pay/runtime';
import { secondFactorKeysInUse } from './second-factor-repository';

/** A key that left the configuration too early would lock out everybody with an authenticator app. Throws then. */
export async function assertKeysKnown(db: Queryable, keys: readonly EncryptionKey[]): Promise<void> {
  const used = await secondFactorKeysInUse(db);
  requireKeys('TOTP_ENCRYPTION_KEYS', keys, { used, stored: 'secrets of authenticator apps' });
}
