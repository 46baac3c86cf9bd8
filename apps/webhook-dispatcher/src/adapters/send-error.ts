import type { OutcomeClass } from '../domain/outcome';

/**
 * No status line was received. `detail` is a code, never an address; merchants see only the result of `shownReason`.
 */
export class SendError extends Error {
  override readonly name = 'SendError';

  constructor(
    readonly outcome: OutcomeClass,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(`${outcome} ${detail}`, options);
  }
}

/** Only the code of the error, because its message may name internal addresses. */
export function codeOf(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
  return hasCode ? String(error.code) : 'UNKNOWN_ERROR';
}
