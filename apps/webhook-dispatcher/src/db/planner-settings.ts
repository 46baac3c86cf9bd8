/**
 * Every statement of this service is a handful of index look-ups. The planner would choose otherwise when its statistics are
 * older than the tables: a plan that was made while a queue was short, and reads it whole once it is long, slows each claim down
 * with every delivery that waits. So it has no other choice.
 */
export const PLANNER_SETTINGS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};
