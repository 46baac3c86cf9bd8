import { parseEncryptionKeys, type EncryptionKey } from './secret-box';

/** The key with which one consumer verifies the signatures that one publisher made with one of its keys. */
export interface VerificationKey extends EncryptionKey {
  readonly publisher: string;
}

/**
 * Reads `publisher/id:base64,publisher/id2:base64`. Throws a RangeError that names the entry by its position, never its
 * content.
 */
export function parseVerificationKeys(text: string): readonly VerificationKey[] {
  const entries = text.split(',').map((entry, index) => {
    const [publisher, rest] = split(entry.trim(), '/');
    if (!/^[a-z][a-z-]{0,40}$/.test(publisher)) {
      throw new RangeError(`key ${index + 1} must be <publisher>/<id>:<base64 of 32 bytes>`);
    }
    return { publisher, ...keyOf(rest, index) };
  });
  const places = new Set(entries.map(({ publisher, id }) => `${publisher}/${id}`));
  if (places.size !== entries.length) throw new RangeError('the ids of one publisher must be unique');
  return entries;
}

function keyOf(text: string, index: number): EncryptionKey {
  try {
    const [key] = parseEncryptionKeys(text);
    if (key !== undefined) return key;
  } catch {
    // parseEncryptionKeys counts positions within one entry, so its message would name the wrong position.
  }
  throw new RangeError(
    `key ${index + 1} must be <publisher>/<id>:<base64 of 32 bytes>, the id of 1 to 20 letters and digits`,
  );
}

/** Base64 contains slashes, so only the first one separates. */
function split(text: string, separator: string): [string, string] {
  const place = text.indexOf(separator);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];
}
