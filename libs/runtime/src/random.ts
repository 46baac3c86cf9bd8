import { randomInt } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/**
 * A uniformly random whole number from 0 up to, not including, `below`, which is less than 2^48; cryptographically
 * strong.
 */
export function randomBelow(below: number): number {
  return randomInt(below);
}

/** A new UUID v7 (RFC 9562), in order with those that this process made before. */
export function newId(): string {
  return uuidv7();
}
