import { createHmac, hash, timingSafeEqual, type KeyObject } from 'node:crypto';

/** HMAC-SHA-256 of the parts, one behind the other, as others build their own signatures on it. */
export function macOf(secret: string | Buffer | KeyObject, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** Takes the same time wherever they begin to differ, and whatever their lengths. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(expected));
}
