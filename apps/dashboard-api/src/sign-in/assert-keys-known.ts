import type { Queryable } from '@pay/persistence';
import type { EncryptionKey } from '@pay/runtime';
import { secondFactorKeysInUse } from './second-factor-repository';

/**
 * A key that left the configuration too early would lock out everybody with an app; better not to start. Throws then.
 */
export async function assertKeysKnown(db: Queryable, keys: readonly EncryptionKey[]): Promise<void> {
  const known = new Set(keys.map(({ id }) => id));
  const missing = (await secondFactorKeysInUse(db)).filter((id) => !known.has(id));
  if (missing.length > 0) {
    throw new Error(
      `TOTP_ENCRYPTION_KEYS lacks ${missing.join(', ')}, under which secrets of authenticator apps are stored.`,
    );
  }
}
