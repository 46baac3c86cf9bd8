/** Fields of a body, by the names that the app gives them. */
export type Fields = Readonly<Record<string, unknown>>;

/** Undefined for anything but a JSON object. */
export function jsonFields(body: Buffer | string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body.toString().replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** `from=bKash&content=You+have...`. Of a name that comes twice the last one counts. */
export function formFields(text: Buffer | string): Fields {
  return Object.fromEntries(new URLSearchParams(text.toString()));
}

/** Users write templates, so the form of a body is more reliable than its content type. */
export function looksLikeJson(body: Buffer): boolean {
  return /^[\s\uFEFF]*[{[]/.test(body.toString());
}

/** The first of these that is a text, or a number in its place. */
export function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
