import { deflateRawSync } from 'node:zlib';

/**
 * What stands in example files, tutorials and development set-ups. Long enough not to turn up in random base64 by
 * chance.
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
/** Words too short to be looked for inside others: `dev-…`, `local:…`, `…_test`. */
const KNOWN_PARTS = /(?:^|[^a-z0-9])(?:demo|dev|dummy|local|test|todo)(?:[^a-z0-9]|$)/;
const LEAST_LENGTH = 32;
/** What 32 random hexadecimal digits are packed into is never less than 29; a text of 16 that comes twice takes 22. */
const LEAST_PACKED_BYTES = 25;
const LEAST_PASSWORD_LENGTH = 16;
/** 16 random characters are packed into 15 at least; 8 that come twice take 12. */
const LEAST_PACKED_PASSWORD_BYTES = 14;

/**
 * Why a secret is known or can be guessed, as the end of a sentence without any part of it; undefined for a good one.
 */
export function weaknessOf(secret: string): string | undefined {
  const known = knownWordIn(secret);
  if (known !== undefined) return known;
  if (secret.length < LEAST_LENGTH) return `has fewer than ${LEAST_LENGTH} characters`;
  if (packedBytes(secret) < LEAST_PACKED_BYTES) return 'is repetitive or follows a pattern';
  return undefined;
}

/** The same for a password inside a URL. Servers and clouds generate shorter ones than we ask of our own secrets. */
export function weaknessOfPassword(password: string): string | undefined {
  const known = knownWordIn(password);
  if (known !== undefined) return known;
  if (password.length < LEAST_PASSWORD_LENGTH) return `has fewer than ${LEAST_PASSWORD_LENGTH} characters`;
  if (packedBytes(password) < LEAST_PACKED_PASSWORD_BYTES) return 'is repetitive or follows a pattern';
  return undefined;
}

/** The first of those reasons alone. */
export function knownWordIn(text: string): string | undefined {
  const words = text.toLowerCase();
  const letters = words.replace(/[^a-z0-9]/g, '');
  const isKnown = KNOWN_PARTS.test(words) || KNOWN_WORDS.some((word) => letters.includes(word));
  return isKnown ? 'contains a word that is common in development secrets' : undefined;
}

/**
 * Random text cannot be packed; `xxxx…`, `abab…` and their like can. The steps between neighbours are packed too,
 * because the alphabet has many letters and one step.
 */
function packedBytes(text: string): number {
  const bytes = Buffer.from(text);
  const steps = bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0));
  return Math.min(deflateRawSync(bytes).length, deflateRawSync(steps).length);
}
