/** A SQL statement that the server parses and plans once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Longest name the server keeps apart; it cuts longer ones off silently. */
const MAX_NAME_BYTES = 63;

/** Names a statement so that it is prepared. The name must be unique within a service: one name, one text. */
export function statement(name: string, text: string): Statement {
  if (name === '' || Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new RangeError(`a statement's name has 1 to ${MAX_NAME_BYTES} bytes: ${name}`);
  }
  return { name, text };
}
