import type { Migration } from '@pay/persistence';

/**
 * For statistics, so that they read decisions alone: whether a person made the intent PAID, and the seconds since its SMS
 * was ingested if none did and the reference matched. Null: no intent became PAID, or the version before stored the decision.
 */
export const storeHowDecisionsPaid: Migration = {
  name: '20261124170000-store-how-decisions-paid',
  sql: `
alter table decisions add column paid_by_person boolean, add column paid_seconds_after_sms double precision;
alter table decisions alter paid_by_person set statistics 0, alter paid_seconds_after_sms set statistics 0;
`,
};
