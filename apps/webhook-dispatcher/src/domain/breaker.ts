import type { OutcomeClass } from './outcome';

/*
 * closed --failures of weight 5 in a row--> open --wait--> half open --one probe--> closed | open, for twice as long
 *
 * While open no request is made and no attempt is counted: what is due stays due. Kept in the endpoint's row, for all
 * processes alike.
 */

/** An endpoint with failures of this weight in a row is left alone. */
export const BREAKER_WEIGHT = 5;
export const FIRST_BREAK_SECONDS = 15;
/** Short enough that an endpoint that is back has its backlog soon after. */
export const LONGEST_BREAK_SECONDS = 300;
/** What is due sooner probes its endpoint in its own turn: while the schedule is dense it has no attempts beside it. */
export const SOONEST_GAIN_SECONDS = 90;

const OVERLOADED = new Set([429, 502, 503, 504]);
const BROKEN: ReadonlySet<OutcomeClass> = new Set([
  ...(['HTTP_5XX', 'DNS', 'CONNECT', 'TLS', 'RESET', 'PROTOCOL', 'BLOCKED_DNS'] as const),
]);

/**
 * How much an outcome speaks for an endpoint being down. Other refusals come from one that is up; it may only dislike
 * this delivery.
 */
export function weightOf(outcome: OutcomeClass, httpStatus: number | null): number {
  if (outcome === 'TIMEOUT' || (httpStatus !== null && OVERLOADED.has(httpStatus))) return 2;
  return BROKEN.has(outcome) ? 1 : 0;
}

/** What a batch of results says about one endpoint. */
export interface EndpointResult {
  readonly endpointId: string;
  readonly succeeded: boolean;
  readonly failures: number;
  readonly weight: number;
  readonly probeFailed: boolean;
}

export interface AttemptResult {
  readonly endpointId: string;
  readonly outcome: OutcomeClass;
  readonly httpStatus: number | null;
  readonly isProbe: boolean;
  /** Something had gone wrong with the endpoint before. */
  readonly isFailing: boolean;
}

/**
 * One result per endpoint that there is something to write about: none for a healthy one that goes on being healthy.
 * One success among failures is a success. What failed on our side, or on a socket that was closed before, says
 * nothing.
 */
export function endpointResults(results: readonly AttemptResult[]): EndpointResult[] {
  const byEndpoint = new Map<string, EndpointResult>();
  const succeeded = new Set<string>();
  for (const { endpointId, outcome, httpStatus, isProbe, isFailing } of results) {
    if (outcome === 'INTERNAL' || outcome === 'STALE_SOCKET') continue;
    if (outcome === 'SUCCESS') succeeded.add(endpointId);
    if (outcome === 'SUCCESS' && !isFailing && !isProbe) continue;
    const known = byEndpoint.get(endpointId) ?? {
      endpointId,
      succeeded: false,
      failures: 0,
      weight: 0,
      probeFailed: false,
    };
    byEndpoint.set(endpointId, {
      endpointId,
      succeeded: known.succeeded || outcome === 'SUCCESS',
      failures: known.failures + (outcome === 'SUCCESS' ? 0 : 1),
      weight: known.weight + weightOf(outcome, httpStatus),
      probeFailed: known.probeFailed || (isProbe && outcome !== 'SUCCESS'),
    });
  }
  return [...byEndpoint.values()].map((each) => (succeeded.has(each.endpointId) ? { ...each, succeeded: true } : each));
}
