/** `RECORD_RETENTION_DAYS`: the same setting in all services that keep records of payments. */
export const RECORD_RETENTION = {
  /** Six years, the longest period for which books must be kept that we know of. */
  defaultDays: 2_192,
  /** Longer than any match window, claim or text is kept, so that nothing short-lived refers to a deleted record. */
  minDays: 400,
  maxDays: 36_500,
  /**
   * Services that apply decisions keep their records so much longer than the reconciler, so that no decision is about a
   * deleted one.
   */
  extraDaysOfFollowers: 90,
} as const;
