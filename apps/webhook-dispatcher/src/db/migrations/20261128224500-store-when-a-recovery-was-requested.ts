import type { Migration } from '@pay/persistence';

export const storeWhenARecoveryWasRequested: Migration = {
  name: '20261128224500-store-when-a-recovery-was-requested',
  sql: `
-- The merchant verified the endpoint, switched it on, changed its URL or called recover. recovered_at: or it responds again.
alter table endpoints add column recovery_requested_at timestamptz;
alter table endpoints alter recovery_requested_at set statistics 10;
`,
};
