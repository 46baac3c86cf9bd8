import type { DeliveryStatus, Environment } from '@pay/contracts';
import type { OutcomeClass } from './outcome';

/*
 * PENDING --first result--> DELIVERED | RETRYING | FAILED
 * RETRYING --next result--> DELIVERED | RETRYING | FAILED
 * PENDING, RETRYING --kept socket closed--> RETRYING, again under the same lease
 * DELIVERED --requested again--> PENDING
 * FAILED --requested again, recovered--> RETRYING
 *
 * A delivery that is requested again begins its schedule again. A delivery that waits for its endpoint (switched off,
 * or LIVE and not verified) keeps its status and has no next attempt.
 */

/**
 * Seconds to wait after the n-th failed attempt.
 *
 * | after attempt | wait | since the first | | after attempt | wait | since the first |
 * | ---: | ---: | ---: | --- | ---: | ---: | ---: |
 * | 1 | 5 s | 5 s | | 10 | 2 h | 3 h 48 min 50 s |
 * | 2 | 15 s | 20 s | | 11 | 4 h | 7 h 48 min 50 s |
 * | 3 | 30 s | 50 s | | 12 | 8 h | 15 h 48 min 50 s |
 * | 4 | 1 min | 1 min 50 s | | 13 | 12 h | 27 h 48 min 50 s |
 * | 5 | 2 min | 3 min 50 s | | 14 | 12 h | 39 h 48 min 50 s |
 * | 6 | 5 min | 8 min 50 s | | 15 | 24 h | 63 h 48 min 50 s |
 * | 7 | 10 min | 18 min 50 s | | 16 | 24 h | 87 h 48 min 50 s |
 * | 8 | 30 min | 48 min 50 s | | 17 | 24 h | 111 h 48 min 50 s |
 * | 9 | 1 h | 1 h 48 min 50 s | | 18 | – | failed |
 *
 * Dense at the start because an intent expires after 300 seconds by default.
 */
export const RETRY_SCHEDULE: readonly number[] = [
  5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 43_200, 86_400, 86_400, 86_400,
];

/** SANDBOX ends after six attempts in 3 min 50 s, so that developers see the final status soon. */
const SANDBOX_WAITS = 5;

export function retrySchedule(environment: Environment): readonly number[] {
  return environment === 'LIVE' ? RETRY_SCHEDULE : RETRY_SCHEDULE.slice(0, SANDBOX_WAITS);
}

/** Only added to a wait, so that a retry is never earlier than documented. */
const JITTER = 0.2;
/** Longer than a pause of the endpoint, so that the next probe is another delivery. */
const WAIT_AFTER_PROBE_SECONDS = 600;
/** Then a delivery waits 30 minutes. */
const MOST_BY_PROBES = 8;
const RETRY_AFTER_FLOOR_SECONDS = 600;
const RETRY_AFTER_CEILING_SECONDS = 3_600;

export interface AttemptResult {
  readonly environment: Environment;
  /** Starts at 1, counted from the last restart of the schedule. */
  readonly attempt: number;
  readonly outcome: OutcomeClass;
  readonly retryAfterSeconds?: number | undefined;
  /** Failed early attempts since the last scheduled one; probes count only after one. Null if this is scheduled. */
  readonly earlyFailures: number | null;
  readonly isProbe: boolean;
  /** Uniform in [0, 1). */
  readonly random: number;
}

export type Settlement =
  /** Sent again immediately, with the same lease and the same place in the schedule. */
  | { readonly status: 'AGAIN' }
  | { readonly status: Extract<DeliveryStatus, 'DELIVERED' | 'FAILED'> }
  | {
      readonly status: Extract<DeliveryStatus, 'RETRYING'>;
      /** Until the next attempt by the schedule alone. */
      readonly waitSeconds: number;
      /** The wait that the endpoint asked for, which may be longer; 0 without a request. */
      readonly askedSeconds: number;
      /** Until the next early attempt, if that is before the scheduled one; null if it is not sent early. */
      readonly earlyWaitSeconds: number | null;
      /** This attempt included. */
      readonly earlyFailures: number | null;
    };

export function settle(result: AttemptResult): Settlement {
  if (result.outcome === 'SUCCESS') return { status: 'DELIVERED' };
  // A stale socket is not a failure of the endpoint. The repeat uses a new connection, which cannot be stale.
  if (result.outcome === 'STALE_SOCKET') return { status: 'AGAIN' };
  // The address follows from the URL, so every later attempt would fail too.
  if (result.outcome === 'BLOCKED') return { status: 'FAILED' };
  const schedule = retrySchedule(result.environment);
  const planned = schedule[result.attempt - 1];
  if (planned === undefined) return { status: 'FAILED' };
  const asked = boundRetryAfter(planned, result.retryAfterSeconds);
  const stretch = 1 + JITTER * result.random;
  // The schedule begins again beside the scheduled time, so that an endpoint that was down or overloaded soon receives
  // the delivery, and one that always refuses it gets fewer attempts until the scheduled one.
  const earlyFailures = result.earlyFailures === null ? null : countEarly(result.earlyFailures, result.isProbe);
  const early = schedule[(earlyFailures ?? 0) - 1];
  const least = Math.max(asked, result.isProbe ? WAIT_AFTER_PROBE_SECONDS : 0);
  return {
    status: 'RETRYING',
    waitSeconds: planned * stretch,
    askedSeconds: asked * stretch,
    earlyWaitSeconds: early === undefined ? null : Math.max(early, least) * stretch,
    earlyFailures,
  };
}

/**
 * A probe may fail because the endpoint is down: it counts only of a delivery that has failed early before, and only up
 * to a limit, so that the delivery does not wait for long when the endpoint is back.
 */
function countEarly(before: number, isProbe: boolean): number {
  if (!isProbe) return before + 1;
  return before === 0 ? 0 : Math.max(before, Math.min(before + 1, MOST_BY_PROBES));
}

/** At most twice the planned wait (or 10 minutes), and at most an hour. */
function boundRetryAfter(planned: number, asked = 0): number {
  const most = Math.min(Math.max(2 * planned, RETRY_AFTER_FLOOR_SECONDS), RETRY_AFTER_CEILING_SECONDS);
  return Math.min(asked, most);
}

export interface EndpointState {
  readonly environment: Environment;
  readonly isActive: boolean;
  readonly isVerified: boolean;
}

/** The endpoint must be active and, where required, verified. Otherwise deliveries are held. */
export function maySend(endpoint: EndpointState, verifiedEnvironments: readonly Environment[]): boolean {
  return endpoint.isActive && (endpoint.isVerified || !verifiedEnvironments.includes(endpoint.environment));
}

/** Minimum time between the first 410 and the one that disables the endpoint. A single 410 may come from a proxy. */
export const GONE_CONFIRMED_AFTER_SECONDS = 60;

/** Longer than any request, so that a running worker never outlives its lease. */
export const LEASE_SECONDS = 45;
/** Covers connecting, the request and the body of the response. */
export const DEADLINE_SECONDS = 15;

/** A request that starts later than this after its claim could outlive the lease, so it is not sent. */
export const LATEST_START_SECONDS = LEASE_SECONDS - DEADLINE_SECONDS - 10;
