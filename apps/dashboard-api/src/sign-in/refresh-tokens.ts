import { hkdfSync, randomBytes } from 'node:crypto';

/** 32 random bytes in base64url. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The token that follows another one. It is derived, not drawn, so that the second of two tabs that refresh at once can
 * be given what the first one got, although only hashes are stored. Without the secret nobody can take that step.
 */
export function successorOf(secret: string, token: string): string {
  return Buffer.from(hkdfSync('sha256', secret, token, 'refresh token', 32)).toString('base64url');
}
