import type { RetryStep } from './broker/topology';

/** All timings of this library. Tests shorten some; services never set them. */
export interface Timings {
  readonly retryMs: Readonly<Record<RetryStep, number>>;
  readonly sweepEveryMs: number;
  /** Age at which the sweeper takes an unpublished event: its process has died or given up. */
  readonly staleAfterMs: number;
  /** Time for which a claimed event is skipped by other sweepers. */
  readonly claimMs: number;
  /** Time for which confirmed events are collected before one UPDATE marks them; nothing waits for it. */
  readonly markLingerMs: number;
  /**
   * Maximum delay of a combined acknowledgement. If the process dies before, its messages are redelivered and the inbox
   * recognises them.
   */
  readonly ackLingerMs: number;
  /** After this time without a confirm the channel counts as stuck. */
  readonly confirmTimeoutMs: number;
  /** First wait after a message was returned as unroutable; doubles up to five minutes. */
  readonly returnedFirstWaitMs: number;
  readonly replayEveryMs: number;
  /** Maximum events per second of a replay to one queue, so that live events do not wait. */
  readonly replayedPerSecond: number;
  /** How often a service tests the bindings of the types that it publishes. */
  readonly probeEveryMs: number;
  /** How often a service declares its own queues and bindings again. */
  readonly declareEveryMs: number;
  readonly cleanEveryMs: number;
  /** How often a service looks whether its database was promoted or restored. */
  readonly epochEveryMs: number;
  /** After this time without the database a consumer returns its messages for other processes. */
  readonly releaseAfterMs: number;
  /** After this time without a channel a consumer ends its process, if the broker is available. */
  readonly watchdogMs: number;
}

export const TIMINGS: Timings = {
  retryMs: { '5s': 5_000, '30s': 30_000, '5m': 300_000 },
  sweepEveryMs: 1_000,
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
  releaseAfterMs: 15_000,
  watchdogMs: 30_000,
};

/** Waits between two attempts while the broker or the database is unavailable. */
export const OUTAGE_WAITS = { firstMs: 100, longestMs: 5_000 };

/** Period that a replay covers and for which published events are kept. */
export const REPLAY_WINDOW_DAYS = 7;
/** Counted from the creation of the event. Longer than the replay window, so that replayed events are recognised. */
export const INBOX_DAYS = 14;
/** Counted from receipt, for old events that were replayed manually: their messages may be redelivered. */
export const INBOX_LATE_DAYS = 7;
