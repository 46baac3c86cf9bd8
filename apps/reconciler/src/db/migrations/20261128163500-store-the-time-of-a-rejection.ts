import type { Migration } from '@pay/persistence';

/** Claims of a rejected intent count only if they came before its rejection. */
export const storeTheTimeOfARejection: Migration = {
  name: '20261128163500-store-the-time-of-a-rejection',
  sql: `
alter table intents add column rejected_at timestamptz;
comment on column intents.rejected_at is 'when a person rejected it; null also for intents that earlier versions have rejected';
alter table intents alter rejected_at set statistics 10;
`,
};
