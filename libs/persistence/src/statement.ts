/** A SQL statement that the server parses and plans once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Maximum length of a statement name; the server truncates longer ones silently. */
const MAX_NAME_BYTES = 63;

/** Names a statement so that it is prepared. Within a service each name must have exactly one text. */
export function statement(name: string, text: string): Statement {
  if (name === '' || Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new RangeError(`a statement's name has 1 to ${MAX_NAME_BYTES} bytes: ${name}`);
  }
  return { name, text };
}
