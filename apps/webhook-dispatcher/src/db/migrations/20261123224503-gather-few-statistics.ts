import type { Migration } from '@pay/persistence';

export const gatherFewStatistics: Migration = {
  name: '20261123224503-gather-few-statistics',
  sql: `
-- Rows are found through indexes whatever the statistics say (planner-settings.ts). The default sample of 30,000 rows, JSON and
-- texts included, was read again with every tenth of growth: 3 % of the processor time of a young system under full load.
alter table deliveries
  alter id set statistics 10, alter endpoint_id set statistics 10, alter merchant_id set statistics 10,
  alter environment set statistics 10, alter payment_intent_id set statistics 10,
  alter idempotency_key set statistics 10, alter status set statistics 10, alter next_attempt_at set statistics 10,
  alter event_id set statistics 0, alter event_type set statistics 0, alter occurred_at set statistics 0,
  alter body set statistics 0, alter attempt set statistics 0, alter status_code set statistics 0,
  alter lease_owner set statistics 0, alter delivered_at set statistics 0, alter created_at set statistics 0,
  alter schedule_from set statistics 0, alter resends set statistics 0, alter next_trigger set statistics 0,
  alter ended_at set statistics 0, alter planned_at set statistics 0;
alter table attempts
  alter delivery_id set statistics 10, alter attempt set statistics 10, alter trigger set statistics 0,
  alter started_at set statistics 0, alter finished_at set statistics 0, alter outcome set statistics 0,
  alter http_status set statistics 0, alter detail set statistics 0, alter headers_ms set statistics 0,
  alter total_ms set statistics 0, alter response set statistics 0, alter worker_id set statistics 0,
  alter sent_at set statistics 0, alter response_headers set statistics 0;
alter table events
  alter merchant_id set statistics 10, alter environment set statistics 10, alter "position" set statistics 10,
  alter type set statistics 10, alter payment_intent_id set statistics 10, alter created_at set statistics 10,
  alter id set statistics 0, alter occurred_at set statistics 0, alter body set statistics 0,
  alter planned_deliveries set statistics 0, alter amount set statistics 0;
`,
};
