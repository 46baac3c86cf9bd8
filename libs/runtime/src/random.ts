import { randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** Drawn ahead: to ask for four bytes costs as much as to ask for thousands. */
const POOL = new Uint32Array(1_024);
let used = POOL.length;

/** 32 bits from the cryptographic generator. */
function randomUint32(): number {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const value = POOL[used] ?? 0;
  POOL[used] = 0;
  used += 1;
  return value;
}

/** A uniformly random whole number from 0 up to, not including, `below`, which is at most 2^32; cryptographically strong. */
export function randomBelow(below: number): number {
  // What lies in the last, shorter run of `below` numbers would make the small ones more likely.
  const end = 2 ** 32 - (2 ** 32 % below);
  for (;;) {
    const value = randomUint32();
    if (value < end) return value % below;
  }
}

const generator = new V7Generator({ nextUint32: randomUint32 });

/** A fresh UUID v7 (RFC 9562), in order with those that this process made before. */
export function newId(): string {
  return generator.generate().toString();
}
