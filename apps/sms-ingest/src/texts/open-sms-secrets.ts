import { randomBytes } from 'node:crypto';
import type { Queryable } from '@pay/persistence';
import { createSecretBox, requireKeys, type EncryptionKey, type SecretBox } from '@pay/runtime';
import { addSecret, findSecret, noteTextKey, resealSecret, textKeys } from './sms-secret-repository';
import { createSmsSecrets, TEXT_PURPOSE, type SmsSecrets } from './sms-secrets';

const FINGERPRINTS = 'fingerprints';
const FINGERPRINT_KEY_BYTES = 32;

/**
 * The keys of this installation, proved against what is stored. Throws when one is missing, or is another than the one
 * of its name: texts that cannot be read again, and repeats that are not recognised, would be noticed much too late.
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
      throw new Error(`SMS_ENCRYPTION_KEYS has another key as ${keyId} than the one under which texts are stored.`);
    }
  }
}

/** Made once and never changed: a repeat is recognised by it for as long as the first text is known. */
async function fingerprintKey(db: Queryable, box: SecretBox, currentKeyId: string): Promise<Buffer> {
  const fresh = () => box.seal(FINGERPRINTS, randomBytes(FINGERPRINT_KEY_BYTES).toString('base64'));
  if ((await findSecret(db, FINGERPRINTS)) === undefined) await addSecret(db, FINGERPRINTS, fresh());
  const sealed = await findSecret(db, FINGERPRINTS);
  if (sealed === undefined) throw new Error('the key of the fingerprints is gone');
  const key = box.openOnce(FINGERPRINTS, sealed);
  // So that a key of the configuration can be retired when no text is left that it has sealed.
  if (!sealed.startsWith(`${currentKeyId}:`)) {
    await resealSecret(db, FINGERPRINTS, sealed, box.seal(FINGERPRINTS, key));
  }
  return Buffer.from(key, 'base64');
}
