import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '@pay/persistence';
import { type Logger, type Metrics, type Worker } from '@pay/runtime';
import { exchangeLeases, forgetOldLeases, type LeaseRequest } from './leases';
import { refillOf, type Limit } from './limit';
import { createLimiter, type Due, type LeasedLimiter, type Limiter } from './limiter';

export interface RateLimitsDeps {
  readonly db: Queryable;
  readonly replica: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export type ProcessLimiter = Pick<Limiter, 'take' | 'undoTake'>;

/** Exchanges with other replicas in the background. A limiter never waits for Postgres. */
export interface RateLimits {
  limiter(limit: Limit): Limiter;
  /** A limit that is not shared with other replicas. */
  limiterOfProcess(limit: Limit): ProcessLimiter;
  noteRefusal(limiter: Limiter): void;
  exchange(): Promise<void>;
  /** Exchanges every second, and earlier when a subject first comes near its limit. */
  worker(): Worker;
}

const EVERY_MS = 1_000;
/** Minimum time between two exchanges. */
const PAUSE_MS = 200;
/** Maximum number of subjects in one exchange; the others wait for the next. */
const MOST_AT_ONCE = 1_000;
const FORGET_EVERY_MS = 600_000;
/** Assumed number of replicas before the first exchange. */
const ASSUMED_REPLICAS = 3;
/** A row that every replica reports to, so that replicas can be counted. */
const PRESENCE: LeaseRequest = { key: 'presence', refill: 0, burst: 0, spent: 0, perSecond: 0 };

export function openRateLimits({ db, replica, log, metrics, clock }: RateLimitsDeps): RateLimits {
  const limiters: LeasedLimiter[] = [];
  const refused = metrics.counter('rate_limited_total');
  let replicas = ASSUMED_REPLICAS;
  let isDisconnected = false;
  let forgottenAt = -Infinity;
  let wakeUp: () => void = () => undefined;

  async function exchange(): Promise<void> {
    const due = new Map<string, Due>();
    const requests = [PRESENCE];
    for (const limiter of limiters) {
      for (const each of limiter.due(MOST_AT_ONCE - due.size)) {
        const { subject, spent, perSecond } = each.report;
        const key = keyOf(limiter.limit, subject);
        due.set(key, each);
        requests.push({ key, refill: refillOf(limiter.limit), burst: limiter.limit.count, spent, perSecond });
      }
    }
    try {
      for (const { subject, used, demands } of await exchangeLeases(db, replica, requests)) {
        if (subject === PRESENCE.key) replicas = Object.keys(demands).length;
        else due.get(subject)?.settle({ used, demands });
      }
    } catch (error) {
      for (const each of due.values()) each.fail();
      throw error;
    }
  }

  async function forget(): Promise<void> {
    if (clock() - forgottenAt < FORGET_EVERY_MS) return;
    forgottenAt = clock();
    await forgetOldLeases(db);
  }

  /** Requests continue without exchanges, so only the first failure and the recovery are logged. */
  async function tryToExchange(): Promise<void> {
    try {
      await exchange();
      await forget();
      if (isDisconnected) log.info({}, 'rate_limits.shared_again');
      isDisconnected = false;
    } catch (error) {
      if (!isDisconnected) log.warn({ err: error }, 'rate_limits.not_shared');
      isDisconnected = true;
    }
  }

  return {
    limiter(limit) {
      const limiter = createLimiter(limit, { replica, replicas: () => replicas, clock, wake: () => wakeUp() });
      limiters.push(limiter);
      return limiter;
    },
    limiterOfProcess(limit) {
      const limiter = createLimiter(limit, { replica, replicas: () => 1, clock, wake: () => undefined });
      return {
        take: (subject) => limiter.take(subject, false),
        undoTake: (subject) => limiter.undoTake(subject),
      };
    },
    noteRefusal: ({ limit }) => refused.inc({ limit: limit.name }),
    exchange,
    worker: () => ({
      name: 'rate-limits',
      async run(signal) {
        while (!signal.aborted) {
          // Created in each round: a promise that outlives the round would retain every promise it was raced with.
          const [pause, rest] = [new AbortController(), new AbortController()];
          const end = () => {
            pause.abort();
            rest.abort();
          };
          signal.addEventListener('abort', end, { once: true });
          wakeUp = () => rest.abort();
          await tryToExchange();
          await wait(PAUSE_MS, pause.signal);
          await wait(EVERY_MS - PAUSE_MS, rest.signal);
          signal.removeEventListener('abort', end);
        }
      },
    }),
  };
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Hashes the subject, because addresses and key ids are not stored in Postgres. */
function keyOf({ name }: Limit, subject: string): string {
  return hash('sha256', `${name}\n${subject}`, 'base64url').slice(0, 22);
}
