import type { Migration } from '@pay/persistence';

/** Fingerprints are deleted with their SMS event, whose id is in the order of time: an insert adds at the end of the index. */
export const indexFingerprintsOfSms: Migration = {
  name: '20261122213300-index-fingerprints-of-sms',
  transaction: false,
  sql: `create index concurrently if not exists sms_fingerprints_of_sms on sms_fingerprints (sms_event_id)`,
};
