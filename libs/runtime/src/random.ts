import { randomInt } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/** Uniform and cryptographically strong. `below` must be less than 2^48. */
export function randomBelow(below: number): number {
  return randomInt(below);
}

/** UUID v7 (RFC 9562). Ids of one process are monotonic. */
export function newId(): string {
  return uuidv7();
}
