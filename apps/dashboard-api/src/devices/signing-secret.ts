import { randomBytes } from 'node:crypto';

/** 24 random bytes as 32 characters: short enough to type into a phone. */
export function newSigningSecret(): string {
  return randomBytes(24).toString('base64url');
}
