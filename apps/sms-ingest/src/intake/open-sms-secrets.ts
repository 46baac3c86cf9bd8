import { randomBytes } from 'node:crypto';
import type { Queryable } from '@pay/persistence';
import { createSecretBox, requireKeys, type EncryptionKey, type SecretBox } from '@pay/runtime';
import { addSecret, findSecret, noteTextKey, resealSecret, textKeys } from './sms-secret-repository';
import { createSmsSecrets, TEXT_PURPOSE, type SmsSecrets } from './sms-secrets';

const FINGERPRINTS = 'fingerprints';
const FINGERPRINT_KEY_BYTES = 32;

/**
 * The keys of this installation, verified against the database. Throws if a key is missing or differs from the one of
 * its name: otherwise texts would be unreadable and repeats would not be recognised.
 */
export async function openSmsSecrets(db: Queryable, keys: readonly EncryptionKey[], now: Date): Promise<SmsSecrets> {
  const texts = createSecretBox(keys, TEXT_PURPOSE);
  await assertKeysKnown(db, texts, keys);
  const [current] = keys;
  if (current === undefined) throw new RangeError('at least one encryption key is required');
  await noteTextKey(db, { keyId: current.id, proof: texts.seal(current.id, current.id) }, now);
  return createSmsSecrets(texts, await fingerprintKey(db, createSecretBox(keys, 'sms-fingerprint-key'), current.id));
}

async function assertKeysKnown(db: Queryable, texts: SecretBox, keys: readonly EncryptionKey[]): Promise<void> {
  const used = await textKeys(db);
  requireKeys('SMS_ENCRYPTION_KEYS', keys, { used: used.map(({ keyId }) => keyId), stored: 'texts' });
  for (const { keyId, proof } of used) {
    try {
      texts.openOnce(keyId, proof);
    } catch {
      throw new Error(
        `SMS_ENCRYPTION_KEYS contains a different key with the id ${keyId}; stored texts need the original.`,
      );
    }
  }
}

/** Generated once and never changed: repeats are recognised by it. */
async function fingerprintKey(db: Queryable, box: SecretBox, currentKeyId: string): Promise<Buffer> {
  const fresh = () => box.seal(FINGERPRINTS, randomBytes(FINGERPRINT_KEY_BYTES).toString('base64'));
  if ((await findSecret(db, FINGERPRINTS)) === undefined) await addSecret(db, FINGERPRINTS, fresh());
  const sealed = await findSecret(db, FINGERPRINTS);
  if (sealed === undefined) throw new Error('invariant: the fingerprint key exists');
  const key = box.openOnce(FINGERPRINTS, sealed);
  // Allows a key to be removed after all texts that it encrypted are deleted.
  if (!sealed.startsWith(`${currentKeyId}:`)) {
    await resealSecret(db, FINGERPRINTS, sealed, box.seal(FINGERPRINTS, key));
  }
  return Buffer.from(key, 'base64');
}
