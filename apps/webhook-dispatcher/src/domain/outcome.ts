/**
 * How one attempt ended. `HTTP_4XX` and `HTTP_5XX` carry their status beside them; `UNKNOWN` means that the worker was lost
 * between sending and recording; `INTERNAL` that we failed before the request left; `STALE_SOCKET` that the endpoint had closed a
 * kept socket when the request went out on it. A closed set: it labels metrics.
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

/** What a status line alone decides: any 2xx is success, whatever body follows; a redirect is a failure and never followed. */
export function classOfStatus(status: number): OutcomeClass {
  if (status >= 200 && status < 300) return 'SUCCESS';
  if (status >= 300 && status < 400) return 'HTTP_REDIRECT';
  if (status === 410) return 'GONE';
  return status < 500 ? 'HTTP_4XX' : 'HTTP_5XX';
}
