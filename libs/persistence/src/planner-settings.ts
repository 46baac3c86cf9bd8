/**
 * Every statement of a service is a handful of index look-ups. The planner would choose otherwise when its statistics
 * are older than the tables: a plan made while a table was empty reads it whole, and a prepared statement keeps that
 * plan until the next ANALYZE. So it has no other choice. A statement that needs another plan on purpose says so with
 * `set local` in its transaction. With so little to choose, a plan per execution would only cost: planning is dearer
 * than most of these statements.
 */
export const PLANNER_SETTINGS: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};
