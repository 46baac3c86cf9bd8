import { uuidv7 } from 'uuidv7';

/** A new UUID v7 (RFC 9562). Ids of one process are monotonic. */
export function newId(): string {
  return uuidv7();
}
