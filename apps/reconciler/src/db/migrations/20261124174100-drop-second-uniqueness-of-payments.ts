import type { Migration } from '@pay/persistence';

/**
 * `pays_sms_event_id` equals `sms_event_id` or is null (`matches_pay_what_they_are_about`), and `matches_one_per_sms`
 * keeps `sms_event_id` unique.
 */
export const dropSecondUniquenessOfPayments: Migration = {
  name: '20261124174100-drop-second-uniqueness-of-payments',
  sql: 'drop index if exists matches_one_is_paid_by_an_sms;',
};
