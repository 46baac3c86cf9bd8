import type { Migration } from '@pay/persistence';

/** SMS that a process has accepted and not stored for a second. Expiry waits for them. */
export const reportWaitingSms: Migration = {
  name: '20261124060000-report-waiting-sms',
  sql: `
create table waiting_sms (
  process_id uuid not null,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  oldest timestamptz not null,
  reported_at timestamptz not null,
  primary key (process_id, merchant_id, environment)
);
alter table waiting_sms
  alter process_id set statistics 10, alter merchant_id set statistics 10, alter environment set statistics 10,
  alter oldest set statistics 10, alter reported_at set statistics 10;
`,
};
