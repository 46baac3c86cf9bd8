/**
 * The result of one attempt, a closed set because it labels metrics. `UNKNOWN`: the process died between sending and
 * recording; `INTERNAL`: the dispatcher failed before it sent; `STALE_SOCKET`: the endpoint had closed a kept
 * connection.
 */
export const OUTCOME_CLASSES = [
  'SUCCESS',
  'HTTP_REDIRECT',
  'GONE',
  'HTTP_4XX',
  'HTTP_5XX',
  'DNS',
  'CONNECT',
  'TLS',
  'RESET',
  'STALE_SOCKET',
  'TIMEOUT',
  'PROTOCOL',
  'BLOCKED',
  'BLOCKED_DNS',
  'INTERNAL',
  'UNKNOWN',
] as const;
export type OutcomeClass = (typeof OUTCOME_CLASSES)[number];

export interface Reason {
  readonly outcome: OutcomeClass;
  readonly detail?: string | undefined;
}

/** Codes that the remote address causes. Others are problems of this machine and are not shown. */
const SHOWN_CONNECT_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/**
 * Unresolvable names and names with private addresses look the same, so that merchants cannot discover internal names.
 */
export function shownReason({ outcome, detail }: Reason): Reason {
  if (outcome === 'DNS' || outcome === 'BLOCKED_DNS') return { outcome: 'DNS', detail: 'NO_PUBLIC_ADDRESS' };
  if (outcome === 'INTERNAL') return { outcome };
  if (outcome !== 'CONNECT' || SHOWN_CONNECT_CODES.has(detail ?? '')) return { outcome, detail };
  return { outcome, detail: 'CONNECTION_FAILED' };
}

/** Any 2xx is a success, regardless of the body. A redirect is a failure and is not followed. */
export function classOfStatus(status: number): OutcomeClass {
  if (status >= 200 && status < 300) return 'SUCCESS';
  if (status >= 300 && status < 400) return 'HTTP_REDIRECT';
  if (status === 410) return 'GONE';
  return status < 500 ? 'HTTP_4XX' : 'HTTP_5XX';
}
