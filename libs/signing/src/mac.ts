import { createHmac, hash, timingSafeEqual, type KeyObject } from 'node:crypto';

/** HMAC-SHA-256 of the concatenated parts, from which other signatures are built. */
export function macOf(secret: string | Buffer | KeyObject, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** Compares in constant time, for any position of a difference and any lengths. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(expected));
}
