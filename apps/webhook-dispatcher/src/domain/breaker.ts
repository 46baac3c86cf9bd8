import type { OutcomeClass } from './outcome';

/**
 * closed --consecutive failures of weight 5--> open --wait--> half open --one probe--> closed | open, for twice as long
 *
 * While open no request is made and no attempt is counted: due deliveries stay due. The state is in the endpoint's row.
 */

/** Weight of consecutive failures that opens the breaker. */
export const BREAKER_WEIGHT = 5;
export const FIRST_BREAK_SECONDS = 15;
/** Short, so that a recovered endpoint soon receives its backlog. */
export const LONGEST_BREAK_SECONDS = 300;
/** Earlier due deliveries serve as the probe, so early probes are only needed in the sparse part of the schedule. */
export const SOONEST_GAIN_SECONDS = 90;

const OVERLOADED = new Set([429, 502, 503, 504]);
const BROKEN: ReadonlySet<OutcomeClass> = new Set([
  ...(['HTTP_5XX', 'DNS', 'CONNECT', 'TLS', 'RESET', 'PROTOCOL', 'BLOCKED_DNS'] as const),
]);

/** Other refusals come from a working endpoint and may concern only one delivery, so they weigh less. */
export function weightOf({
  outcome,
  httpStatus,
  earlyFailures,
}: Pick<AttemptResult, 'outcome' | 'httpStatus' | 'earlyFailures'>): number {
  if (outcome === 'TIMEOUT' || (httpStatus !== null && OVERLOADED.has(httpStatus))) return 2;
  // Early attempts follow each other so soon that one delivery that always fails would pause a working endpoint.
  if (outcome === 'HTTP_5XX' && earlyFailures !== null && earlyFailures > 1) return 0;
  return BROKEN.has(outcome) ? 1 : 0;
}

/** A result says nothing about the endpoint if its URL has changed since. */
export interface Receiver {
  readonly endpointId: string;
  readonly url: string;
}

export const receiverKey = ({ endpointId, url }: Receiver): string => `${endpointId} ${url}`;

export interface EndpointResult extends Receiver {
  readonly succeeded: boolean;
  readonly failures: number;
  readonly weight: number;
  readonly probeFailed: boolean;
  /** The longest wait that the endpoint asked for. */
  readonly askedSeconds: number;
}

export interface AttemptResult extends Receiver {
  readonly outcome: OutcomeClass;
  readonly httpStatus: number | null;
  readonly isProbe: boolean;
  readonly isFailing: boolean;
  readonly askedSeconds: number;
  /** Of the delivery since its last scheduled attempt, this one included; null if this one is not early. */
  readonly earlyFailures: number | null;
}

/**
 * Returns only receivers whose state changes, so that healthy endpoints need no write. One success among failures
 * counts as a success; internal failures and stale sockets are ignored.
 */
export function endpointResults(results: readonly AttemptResult[]): EndpointResult[] {
  const byReceiver = new Map<string, EndpointResult>();
  const succeeded = new Set<string>();
  for (const result of results) {
    const { endpointId, url, outcome, isProbe, isFailing, askedSeconds } = result;
    const key = receiverKey({ endpointId, url });
    if (outcome === 'INTERNAL' || outcome === 'STALE_SOCKET') continue;
    if (outcome === 'SUCCESS') succeeded.add(key);
    if (outcome === 'SUCCESS' && !isFailing && !isProbe) continue;
    const known = byReceiver.get(key) ?? {
      endpointId,
      url,
      succeeded: false,
      failures: 0,
      weight: 0,
      probeFailed: false,
      askedSeconds: 0,
    };
    byReceiver.set(key, {
      endpointId,
      url,
      succeeded: known.succeeded || outcome === 'SUCCESS',
      failures: known.failures + (outcome === 'SUCCESS' ? 0 : 1),
      weight: known.weight + weightOf(result),
      probeFailed: known.probeFailed || (isProbe && outcome !== 'SUCCESS'),
      askedSeconds: Math.max(known.askedSeconds, askedSeconds),
    });
  }
  return [...byReceiver].map(([key, each]) => (succeeded.has(key) ? { ...each, succeeded: true } : each));
}
