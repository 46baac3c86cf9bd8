import { TIMINGS, type Timings } from '../../src/timings';

/**
 * Shortened timings for `openMessaging`, so that tests need not wait. The last retry delays are longer, or an event
 * could be parked on a busy machine before its precondition arrives.
 */
export const QUICK_TIMINGS: Timings = {
  ...TIMINGS,
  retryMs: { '5s': 100, '30s': 150, '5m': 2_000 },
  sweepEveryMs: 100,
  staleAfterMs: 500,
  claimMs: 1_000,
  markLingerMs: 10,
  returnedFirstWaitMs: 100,
  replayEveryMs: 100,
  replayedPerSecond: 1_000_000,
  epochEveryMs: 100,
  // Disabled unless a test enables it: probes would be among the counted messages.
  probeEveryMs: 3_600_000,
  declareEveryMs: 3_600_000,
};
