import { Generations } from './generations';
import { refillOf, type Limit } from './limit';
import { shareOf, type Demands } from './share';

export interface LimitResult {
  readonly allowed: boolean;
  /** Remaining whole requests of the subject, as known to this replica. */
  readonly remaining: number;
  /** Time until the next request is allowed; 0 if one is allowed now. */
  readonly retryAfterMs: number;
  /** Time until the whole limit is available again, without further requests. */
  readonly resetMs: number;
}

/** All methods are synchronous: a request never waits for other replicas. */
export interface Limiter {
  readonly limit: Limit;
  /**
   * Counts a request of this subject and returns whether it is allowed. Subjects that may be invented (`isKnown` false)
   * are counted in a separate store and only by this process, so that they cannot displace known ones.
   */
  take(subject: string, isKnown?: boolean): LimitResult;
  undoTake(subject: string): void;
  /** Undefined if a request would be allowed, else its result. Counts nothing. */
  spent(subject: string): LimitResult | undefined;
  readonly size: number;
}

export interface Report {
  readonly subject: string;
  readonly spent: number;
  readonly perSecond: number;
}
export interface Answer {
  readonly used: number;
  readonly demands: Demands;
}

/** The part of a limiter that exchanges leases with other replicas. */
export interface LeasedLimiter extends Limiter {
  /** Returns up to `most` subjects near their limit, to be reported. Each is then settled or failed. */
  due(most: number): readonly Due[];
}
export interface Due {
  readonly report: Report;
  settle(answer: Answer): void;
  fail(): void;
}

export interface LimiterDeps {
  readonly replica: string;
  /** Number of replicas, as far as known. */
  readonly replicas: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Called when a subject without a lease comes near its share, so that the exchange runs early. */
  readonly wake: () => void;
  readonly mostSubjects?: number;
}

/** Validity of a lease without a report; then the share of the subject is an equal one again. */
const LEASE_MS = 5_000;
const KEEP_MS = 10_000;
const MOST_SUBJECTS = 50_000;
/** Shortest time over which a rate is computed. */
const SHORTEST_MS = 200;
/** One token, with a tolerance for rounding errors. */
const ONE = 1 - 1e-6;

interface Bucket {
  readonly subject: string;
  /** May be negative: the replicas together allowed too much, and the share of this one is paid back first. */
  tokens: number;
  /** Time up to which `tokens` has been refilled. */
  at: number;
  share: number;
  /** 0 without a lease. */
  leasedUntil: number;
  /** Allowed requests since the last report. */
  spent: number;
  /** All requests since the last report. */
  asked: number;
  reportedAt: number;
  isDue: boolean;
  isKnown: boolean;
}

/**
 * A token bucket per subject with `count` tokens, refilled within `seconds`. This process has a share of each bucket:
 * an equal one while the subject uses less than half of it, which no other replica has to know, else a leased one.
 */
export function createLimiter(limit: Limit, deps: LimiterDeps): LeasedLimiter {
  const { replica, replicas, clock, wake, mostSubjects = MOST_SUBJECTS } = deps;
  const burst = limit.count;
  const refill = refillOf(limit);
  // A bucket is kept until it would be full again. A shorter time would let a client reset its bucket by waiting.
  const bounds = { most: mostSubjects, keepMs: Math.max(KEEP_MS, 2 * limit.seconds * 1_000) };
  const buckets = new Generations<Bucket>(bounds);
  const unknownBuckets = new Generations<Bucket>(bounds);
  let due: Bucket[] = [];

  const equalShare = () => 1 / Math.max(1, replicas());
  // At least one: a bucket without a whole token would refuse forever.
  const capacityOf = (share: number) => Math.max(1, burst * share);

  function newBucket(subject: string, isKnown: boolean, now: number): Bucket {
    const share = equalShare();
    const bucket: Bucket = {
      subject,
      tokens: capacityOf(share),
      at: now,
      share,
      leasedUntil: 0,
      spent: 0,
      asked: 0,
      reportedAt: now,
      isDue: false,
      isKnown,
    };
    (isKnown ? buckets : unknownBuckets).set(subject, bucket, now);
    return bucket;
  }

  function findBucket(subject: string, now: number): Bucket | undefined {
    return buckets.get(subject, now) ?? unknownBuckets.get(subject, now);
  }

  function bucketOf(subject: string, isKnown: boolean, now: number): Bucket {
    const bucket = findBucket(subject, now) ?? newBucket(subject, isKnown, now);
    if (isKnown && !bucket.isKnown) {
      bucket.isKnown = true;
      unknownBuckets.delete(subject);
      buckets.set(subject, bucket, now);
    }
    return bucket;
  }

  function refresh(bucket: Bucket, now: number): void {
    const gained = ((now - bucket.at) / 1_000) * refill * bucket.share;
    if (bucket.leasedUntil <= now) {
      bucket.leasedUntil = 0;
      bucket.share = equalShare();
    }
    bucket.tokens = Math.min(capacityOf(bucket.share), bucket.tokens + gained);
    bucket.at = now;
  }

  function resultOf(bucket: Bucket, allowed: boolean): LimitResult {
    const { tokens, share } = bucket;
    const perMs = (refill * share) / 1_000;
    return {
      allowed,
      remaining: Math.max(0, Math.min(burst, Math.floor(tokens / share + 1e-6))),
      retryAfterMs: tokens >= ONE ? 0 : (1 - tokens) / perMs,
      resetMs: Math.max(0, (capacityOf(bucket.share) - tokens) / perMs),
    };
  }

  function noteDemand(bucket: Bucket): void {
    bucket.asked += 1;
    if (bucket.isDue || !bucket.isKnown) return;
    const hasLease = bucket.leasedUntil !== 0;
    if (!hasLease && bucket.tokens >= capacityOf(bucket.share) / 2) return;
    bucket.isDue = true;
    due.push(bucket);
    if (!hasLease) wake();
  }

  function reportOf(bucket: Bucket, now: number): Report {
    refresh(bucket, now);
    // Without a lease the last report may be old, so tokens refilled since then are subtracted from the spent ones.
    const lacking = Math.max(0, capacityOf(bucket.share) - bucket.tokens);
    const spent = bucket.leasedUntil === 0 ? Math.min(bucket.spent, lacking) : bucket.spent;
    const perSecond = (bucket.asked * 1_000) / Math.max(SHORTEST_MS, now - bucket.reportedAt);
    bucket.spent = 0;
    bucket.asked = 0;
    bucket.reportedAt = now;
    bucket.isDue = false;
    return { subject: bucket.subject, spent, perSecond };
  }

  return {
    limit,
    take(subject, isKnown = true) {
      const now = clock();
      const bucket = bucketOf(subject, isKnown, now);
      refresh(bucket, now);
      const allowed = bucket.tokens >= ONE;
      if (allowed) {
        bucket.tokens -= 1;
        bucket.spent += 1;
      }
      noteDemand(bucket);
      return resultOf(bucket, allowed);
    },
    undoTake(subject) {
      const bucket = findBucket(subject, clock());
      if (bucket === undefined) return;
      bucket.tokens += 1;
      bucket.spent -= 1;
    },
    spent(subject) {
      const now = clock();
      const bucket = findBucket(subject, now);
      if (bucket === undefined) return undefined;
      refresh(bucket, now);
      return bucket.tokens >= ONE ? undefined : resultOf(bucket, false);
    },
    get size() {
      return buckets.size + unknownBuckets.size;
    },
    due(most) {
      const taken = due.slice(0, most);
      due = due.slice(most);
      const startedAt = clock();
      return taken.map((bucket) => {
        const report = reportOf(bucket, startedAt);
        return {
          report,
          settle({ used, demands }) {
            const now = clock();
            refresh(bucket, now);
            const share = shareOf(demands, replica, refill);
            // A larger share brings its tokens. The total of all replicas is only as fresh as a second, so it may
            // reduce the local tokens but never increase them.
            const counted = bucket.tokens + Math.max(0, share - bucket.share) * burst;
            const cameBack = ((now - startedAt) / 1_000) * refill;
            // Requests that were allowed during the exchange are not in its result.
            const left = share * (burst - used + cameBack) - bucket.spent;
            bucket.share = share;
            bucket.tokens = Math.min(capacityOf(bucket.share), counted, left);
            bucket.leasedUntil = now + LEASE_MS;
          },
          fail() {
            // Some of the tokens that could not be reported were refilled meanwhile. The rest is reported next time.
            const back = ((clock() - startedAt) / 1_000 + 1) * refill * bucket.share;
            bucket.spent += Math.max(0, report.spent - back);
          },
        };
      });
    },
  };
}
