import { randomInt } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/** A uniform, cryptographically strong random integer in [0, `below`). `below` must be less than 2^48. */
export function randomBelow(below: number): number {
  return randomInt(below);
}

/** A new UUID v7 (RFC 9562). Ids of one process are monotonic. */
export function newId(): string {
  return uuidv7();
}
