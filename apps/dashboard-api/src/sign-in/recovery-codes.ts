import { randomInt } from 'node:crypto';
import { hashKey } from '@pay/http';

/** Without characters that look alike: no I, L, O, U, 0, 1. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const CODES = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;

/**
 * Ten codes of 78 bits, such as K7QX-2MNP-93TD-WZ4A. A fast hash is sufficient, because so many bits cannot be guessed.
 */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, group).join('-'));
}

/** Case, dashes and spaces are ignored. */
export function hashRecoveryCode(code: string): string {
  return hashKey(code.toUpperCase().replace(/[^A-Z0-9]/g, ''));
}
