/** Accepts one half of a surrogate pair without the other. Example: "\ud83d" alone. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether Postgres can store a text as it is: no NUL, no broken surrogate pair. Callers' JSON may hold both as escapes. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}
