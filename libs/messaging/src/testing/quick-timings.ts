import { TIMINGS, type Timings } from '../timings';

/**
 * The built-in waits, shortened so that a test need not wait for them. Pass them as `timings` to `openMessaging`. The
 * last rounds before an event is parked are not that short: it would be parked before what it waits for has come on a
 * busy machine.
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
  // Not during a test that did not ask for it: probes would be among the messages that it counts.
  probeEveryMs: 3_600_000,
  declareEveryMs: 3_600_000,
};
