/** What an error says; also one of another realm (jest), where `instanceof Error` fails. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : JSON.stringify(error);
}
