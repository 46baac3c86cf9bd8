import type { RetryStep } from './broker/topology';

/** Every wait of this library. Tests shorten some; services never set them. */
export interface Timings {
  readonly retryMs: Readonly<Record<RetryStep, number>>;
  /** How often the sweeper looks for events that nobody published. */
  readonly sweepEveryMs: number;
  /** An event this old and still unpublished is the sweeper's: its process has died or given up. */
  readonly staleAfterMs: number;
  /** After a sweeper has taken an event, others leave it alone for this long. */
  readonly claimMs: number;
  /** Confirmed events gather for this long before one UPDATE marks them; nothing waits for the mark. */
  readonly markLingerMs: number;
  /**
   * What is handled is acknowledged together, at most this much later; a process that dies meanwhile gets it again, and
   * the inbox knows it.
   */
  readonly ackLingerMs: number;
  /** A confirm that takes longer means that the channel is stuck. */
  readonly confirmTimeoutMs: number;
  /** First wait after a message was returned as unroutable; doubles up to five minutes. */
  readonly returnedFirstWaitMs: number;
  readonly replayEveryMs: number;
  /** A replay publishes no more events per second and queue, so that live events do not wait behind it. */
  readonly replayedPerSecond: number;
  /** How often a service tests the bindings of the types that it publishes. */
  readonly probeEveryMs: number;
  /** How often a service declares its own queues and bindings again. */
  readonly declareEveryMs: number;
  readonly cleanEveryMs: number;
  /** How often a service looks whether its database was promoted or restored. */
  readonly epochEveryMs: number;
  /** While the database stays unreachable for this long, a consumer hands its messages back for others. */
  readonly handBackAfterMs: number;
  /** A consumer without a channel for this long, although the broker is there, ends its process. */
  readonly watchdogMs: number;
}

export const TIMINGS: Timings = {
  retryMs: { '5s': 5_000, '30s': 30_000, '5m': 300_000 },
  sweepEveryMs: 500,
  staleAfterMs: 2_000,
  claimMs: 10_000,
  markLingerMs: 250,
  ackLingerMs: 200,
  confirmTimeoutMs: 15_000,
  returnedFirstWaitMs: 1_000,
  replayEveryMs: 1_000,
  replayedPerSecond: 1_000,
  probeEveryMs: 15_000,
  declareEveryMs: 60_000,
  cleanEveryMs: 60_000,
  epochEveryMs: 5_000,
  handBackAfterMs: 15_000,
  watchdogMs: 30_000,
};

/** How far back a replay reaches, and how long published events are kept for it. */
export const REPLAY_WINDOW_DAYS = 7;
/**
 * From the creation of the event. Longer than the replay window: a replayed event must still be recognised as handled.
 */
export const INBOX_DAYS = 14;
/** From its receipt, for an old event that was replayed by hand: its message may be delivered again. */
export const INBOX_LATE_DAYS = 7;
