/**
 * Every statement consists of a few index look-ups, but a plan that was made on an empty table would read it whole
 * until the next ANALYZE; therefore the alternatives are disabled and plans are generic. A statement that needs another
 * plan uses `set local` in its transaction.
 */
export const PLANNER_SETTINGS: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};
