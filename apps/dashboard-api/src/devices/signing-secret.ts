import { randomBytes } from 'node:crypto';

/** 24 random bytes in base64url, 32 characters: short enough to be typed into a phone. */
export function newSigningSecret(): string {
  return randomBytes(24).toString('base64url');
}
