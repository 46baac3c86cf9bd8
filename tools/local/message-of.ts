/** The message of an error, also of another realm (jest), for which `instanceof Error` is false. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : JSON.stringify(error);
}
