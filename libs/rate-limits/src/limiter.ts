import { Generations } from './generations';
import { refillOf, type Limit } from './limit';
import { shareOf, type Demands } from './share';

/** What one request is told. */
export interface LimitResult {
  readonly allowed: boolean;
  /** Whole requests that the subject has left, as far as this replica knows. */
  readonly remaining: number;
  /** How long to wait for one; 0 when there is one. */
  readonly retryAfterMs: number;
  /** How long until all of the limit is there again, if nothing is asked meanwhile. */
  readonly resetMs: number;
}

/** One limit in this process. Every method is a plain call that waits for nothing. */
export interface Limiter {
  readonly limit: Limit;
  /**
   * Counts a request of this subject and says whether it may go on. A subject that may be invented (`isKnown` false) is
   * counted in a store of its own and by this process alone, so that no number of invented ones displaces a known one.
   */
  take(subject: string, isKnown?: boolean): LimitResult;
  /** Undoes a `take` that was allowed, for what turned out not to count. */
  giveBack(subject: string): void;
  /** Undefined while there is something left; else what the next request would be told. Counts nothing. */
  spent(subject: string): LimitResult | undefined;
  readonly size: number;
}

/** What a replica tells the others about a subject. */
export interface Report {
  readonly subject: string;
  readonly spent: number;
  readonly perSecond: number;
}
/** What all replicas together know of it. */
export interface Answer {
  readonly used: number;
  readonly demands: Demands;
}

/** The side of a limiter that the exchange with the other replicas uses. */
export interface LeasedLimiter extends Limiter {
  /** Takes up to `most` subjects that have come near their limit, to be reported; each is then settled or failed. */
  due(most: number): readonly Due[];
}
export interface Due {
  readonly report: Report;
  settle(answer: Answer): void;
  fail(): void;
}

export interface LimiterDeps {
  readonly replica: string;
  /** How many replicas there are, as far as is known. */
  readonly replicas: () => number;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
  /** A subject without a lease is coming near its part: the exchange should not wait for its turn. */
  readonly wake: () => void;
  readonly mostSubjects?: number;
}

/** Without a report a lease counts for so long; then the subject's part is an equal one again. */
const LEASE_MS = 5_000;
const KEEP_MS = 10_000;
const MOST_SUBJECTS = 50_000;
/** A rate is not worked out over less. */
const SHORTEST_MS = 200;
/** A whole token, less what adding up fractions may lose. */
const ONE = 1 - 1e-6;

interface Bucket {
  readonly subject: string;
  /** May be below zero: the replicas together were too generous, and this one's part of that is paid back first. */
  tokens: number;
  /** Until when `tokens` has been refilled. */
  at: number;
  share: number;
  /** 0 without a lease. */
  leasedUntil: number;
  /** Allowed since the last report. */
  spent: number;
  /** Asked since the last report. */
  asked: number;
  reportedAt: number;
  isDue: boolean;
  isKnown: boolean;
}

/**
 * A token bucket per subject that holds `count` tokens and gets them back within `seconds`. This process has a part of
 * each bucket: an equal one as long as the subject stays below half of that, which no other replica then needs to know,
 * else one by lease.
 */
export function createLimiter(limit: Limit, deps: LimiterDeps): LeasedLimiter {
  const { replica, replicas, clock, wake, mostSubjects = MOST_SUBJECTS } = deps;
  const burst = limit.count;
  const refill = refillOf(limit);
  // A bucket is forgotten when it would be full anyway, a debt paid back included: a silence must not be worth a new
  // one.
  const bounds = { most: mostSubjects, keepMs: Math.max(KEEP_MS, 2 * limit.seconds * 1_000) };
  const buckets = new Generations<Bucket>(bounds);
  const unknownBuckets = new Generations<Bucket>(bounds);
  let due: Bucket[] = [];

  const equalShare = () => 1 / Math.max(1, replicas());
  // Never less than one: a bucket that cannot hold a whole token would refuse for ever.
  const capacityOf = (bucket: Bucket) => Math.max(1, burst * bucket.share);

  function newBucket(subject: string, isKnown: boolean, now: number): Bucket {
    const bucket: Bucket = {
      ...{ subject, tokens: 0, at: now, share: equalShare(), leasedUntil: 0, spent: 0, asked: 0 },
      ...{ reportedAt: now, isDue: false, isKnown },
    };
    bucket.tokens = capacityOf(bucket);
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
    bucket.tokens = Math.min(capacityOf(bucket), bucket.tokens + gained);
    bucket.at = now;
  }

  function resultOf(bucket: Bucket, allowed: boolean): LimitResult {
    const { tokens, share } = bucket;
    const perMs = (refill * share) / 1_000;
    return {
      allowed,
      remaining: Math.max(0, Math.min(burst, Math.floor(tokens / share + 1e-6))),
      retryAfterMs: tokens >= ONE ? 0 : (1 - tokens) / perMs,
      resetMs: Math.max(0, (capacityOf(bucket) - tokens) / perMs),
    };
  }

  function noteDemand(bucket: Bucket): void {
    bucket.asked += 1;
    if (bucket.isDue || !bucket.isKnown) return;
    const hasLease = bucket.leasedUntil !== 0;
    if (!hasLease && bucket.tokens >= capacityOf(bucket) / 2) return;
    bucket.isDue = true;
    due.push(bucket);
    if (!hasLease) wake();
  }

  function reportOf(bucket: Bucket, now: number): Report {
    refresh(bucket, now);
    // Without a lease it may have been silent for long: of what was spent, what has come back since does not count.
    const lacking = Math.max(0, capacityOf(bucket) - bucket.tokens);
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
    giveBack(subject) {
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
            // A part that has grown brings the tokens it would have had. What all replicas have spent is known by the
            // second only, so it may take away from what is counted here, and never adds to it.
            const counted = bucket.tokens + Math.max(0, share - bucket.share) * burst;
            const cameBack = ((now - startedAt) / 1_000) * refill;
            // What was allowed while the question was under way is not in the answer.
            const left = share * (burst - used + cameBack) - bucket.spent;
            bucket.share = share;
            bucket.tokens = Math.min(capacityOf(bucket), counted, left);
            bucket.leasedUntil = now + LEASE_MS;
          },
          fail() {
            // What was not told in time has partly come back meanwhile; the rest is told next time.
            const back = ((clock() - startedAt) / 1_000 + 1) * refill * bucket.share;
            bucket.spent += Math.max(0, report.spent - back);
          },
        };
      });
    },
  };
}
