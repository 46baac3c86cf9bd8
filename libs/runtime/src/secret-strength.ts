import { deflateRawSync } from 'node:zlib';

/**
 * Words that occur in example files, tutorials and development set-ups. They are long enough not to occur in random
 * base64 by chance.
 */
const KNOWN_WORDS = [
  'changeit',
  'changeme',
  'default',
  'development',
  'example',
  'insecure',
  'localhost',
  'password',
  'placeholder',
  'replace',
  'sample',
  'secret',
  'testing',
  '12345678',
  'abcdefgh',
  'deadbeef',
  'qwerty',
];
/** Words that are too short to search inside other words. Examples: `dev-…`, `local:…`, `…_test`. */
const KNOWN_PARTS = /(?:^|[^a-z0-9])(?:demo|dev|dummy|local|test|todo)(?:[^a-z0-9]|$)/;
const LEAST_LENGTH = 32;
/** 32 random hexadecimal digits compress to at least 29 bytes; a text of 16 that is repeated compresses to 22. */
const LEAST_PACKED_BYTES = 25;
const LEAST_PASSWORD_LENGTH = 16;
/** 16 random characters compress to at least 15 bytes; 8 that are repeated compress to 12. */
const LEAST_PACKED_PASSWORD_BYTES = 14;

/** The end of a sentence that contains no part of the secret. Undefined if the secret is strong. */
export function weaknessOf(secret: string): string | undefined {
  const known = knownWordIn(secret);
  if (known !== undefined) return known;
  if (secret.length < LEAST_LENGTH) return `has fewer than ${LEAST_LENGTH} characters`;
  if (packedBytes(secret) < LEAST_PACKED_BYTES) return 'is repetitive or follows a pattern';
  return undefined;
}

/** Servers and cloud providers generate shorter passwords than the secrets that this system requires. */
export function weaknessOfPassword(password: string): string | undefined {
  const known = knownWordIn(password);
  if (known !== undefined) return known;
  if (password.length < LEAST_PASSWORD_LENGTH) return `has fewer than ${LEAST_PASSWORD_LENGTH} characters`;
  if (packedBytes(password) < LEAST_PACKED_PASSWORD_BYTES) return 'is repetitive or follows a pattern';
  return undefined;
}

/** Returns only the first reason. */
export function knownWordIn(text: string): string | undefined {
  const words = text.toLowerCase();
  const letters = words.replace(/[^a-z0-9]/g, '');
  const isKnown = KNOWN_PARTS.test(words) || KNOWN_WORDS.some((word) => letters.includes(word));
  return isKnown ? 'contains a word that is common in development secrets' : undefined;
}

/**
 * Random text does not compress; `xxxx…` and `abab…` do. Differences between adjacent characters are compressed too,
 * because the alphabet consists of equal steps.
 */
function packedBytes(text: string): number {
  const bytes = Buffer.from(text);
  const steps = bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0));
  return Math.min(deflateRawSync(bytes).length, deflateRawSync(steps).length);
}
