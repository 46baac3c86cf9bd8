import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** 19 MiB, two passes: about 60 ms. Argon2id is the package's own choice; the column refuses anything else. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 24;

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

export function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** 24 letters and digits: 142 bits. */
export function newPassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
