import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const CACHED_FOR_MS = 60_000;
const CACHED_AT_MOST = 10_000;

export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Reads `id:base64,id2:base64`: AES-256 keys, the first of which encrypts; the others only decrypt. Throws a RangeError
 * that names the entry by its position, never its content.
 */
export function parseEncryptionKeys(text: string): readonly EncryptionKey[] {
  const keys = text.split(',').map((entry, index) => {
    const [id = '', encoded = ''] = entry.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    if (!/^\w{1,20}$/.test(id) || key.length !== KEY_BYTES) {
      throw new RangeError(
        `key ${index + 1} must be <id>:<base64 of ${KEY_BYTES} bytes>, the id of 1 to 20 letters and digits`,
      );
    }
    return { id, key };
  });
  if (new Set(keys.map(({ id }) => id)).size !== keys.length) throw new RangeError('key ids must be unique');
  return keys;
}

export interface SecretBox {
  /** Encrypts with AES-256-GCM and the first key. The text contains the key id, so that keys can be rotated. */
  seal(ownerId: string, secret: string): string;
  /** Caches the result for a minute. Throws if the key is unknown or the text was altered. */
  open(ownerId: string, sealed: string): string;
  /** For secrets that are rarely read. */
  openOnce(ownerId: string, sealed: string): string;
}

/**
 * The additional authenticated data contains owner and purpose, so that a text decrypts only for its own row and use.
 */
export function createSecretBox(
  keys: readonly EncryptionKey[],
  purpose: string,
  now: () => number = Date.now,
): SecretBox {
  const [current] = keys;
  if (current === undefined) throw new RangeError('at least one encryption key is required');
  const byId = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  const currentKey = createSecretKey(current.key);
  const opened = new Map<string, { readonly secret: string; readonly until: number }>();
  const boundTo = (ownerId: string) => Buffer.from(`${ownerId}:${purpose}`);

  return {
    seal(ownerId, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey, iv).setAAD(boundTo(ownerId));
      const text = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${current.id}:${text.toString('base64')}`;
    },

    open(ownerId, sealed) {
      const cacheKey = `${ownerId}:${sealed}`;
      const known = opened.get(cacheKey);
      if (known !== undefined && known.until > now()) return known.secret;
      const secret = decrypt(byId, boundTo(ownerId), sealed);
      if (opened.size >= CACHED_AT_MOST) opened.clear();
      opened.set(cacheKey, { secret, until: now() + CACHED_FOR_MS });
      return secret;
    },

    openOnce: (ownerId, sealed) => decrypt(byId, boundTo(ownerId), sealed),
  };
}

function decrypt(byId: ReadonlyMap<string, KeyObject>, boundTo: Buffer, sealed: string): string {
  const colon = sealed.indexOf(':');
  const key = byId.get(sealed.slice(0, colon));
  if (key === undefined) throw new Error('the secret was encrypted with a key that is not configured');
  const bytes = Buffer.from(sealed.slice(colon + 1), 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Throws if the setting lacks a key that stored values are encrypted with, because those values could not be read. */
export function requireKeys(
  setting: string,
  keys: readonly Pick<EncryptionKey, 'id'>[],
  { used, stored }: { readonly used: readonly string[]; readonly stored: string },
): void {
  const missing = used.filter((id) => !keys.some((key) => key.id === id));
  if (missing.length > 0)
    throw new Error(`${setting} does not contain ${missing.join(', ')}; stored ${stored} need it.`);
}
