import { hash, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;

/** Prefixes of keys: API keys (`sk`) and device keys (`dk`), one per environment. */
export const CREDENTIAL_PREFIXES = ['sk_test_', 'sk_live_', 'dk_test_', 'dk_live_'] as const;
export type CredentialPrefix = (typeof CREDENTIAL_PREFIXES)[number];

/** A prefix, 32 random characters and a checksum of 6. Example: sk_test_ + 4fGh... (38 letters and digits). */
const FORMAT = /^(?:sk|dk)_(?:test|live)_[0-9A-Za-z]{38}$/;

/** 190 random bits. The checksum detects mistyped and invented keys without a look-up. */
export function newCredential(prefix: CredentialPrefix): string {
  return withChecksum(`${prefix}${randomBase62(RANDOM_CHARACTERS)}`);
}

/** Random letters and digits: 5.95 bits each. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

export function isWellFormedCredential(text: string): boolean {
  return FORMAT.test(text) && withChecksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text;
}

function withChecksum(body: string): string {
  let rest = hash('sha256', body, 'buffer').readUInt32BE(0);
  let checksum = '';
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    checksum = `${ALPHABET[rest % ALPHABET.length] ?? ''}${checksum}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return `${body}${checksum}`;
}
