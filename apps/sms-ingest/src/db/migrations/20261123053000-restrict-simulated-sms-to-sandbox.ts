import type { Migration } from '@pay/persistence';

/** The id is SIMULATOR_DEVICE_ID of the contracts. New rows are checked; stored rows cannot have the id, so the table is not scanned. */
export const restrictSimulatedSmsToSandbox: Migration = {
  name: '20261123053000-restrict-simulated-sms-to-sandbox',
  sql: `
alter table sms_events add constraint sms_events_simulated_in_sandbox
  check (environment = 'SANDBOX' or device_id <> '00000000-0000-8000-8000-000000000001') not valid;
`,
};
