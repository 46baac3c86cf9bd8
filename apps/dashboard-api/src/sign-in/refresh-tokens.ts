import { hkdfSync, randomBytes } from 'node:crypto';

/** 32 random bytes in base64url. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Derived from the token and a secret, so that two concurrent refreshes get the same successor although only hashes are
 * stored.
 */
export function successorOf(secret: string, token: string): string {
  return Buffer.from(hkdfSync('sha256', secret, token, 'refresh token', 32)).toString('base64url');
}
