import { oldRowsById, type OldRows } from '@pay/persistence';

/**
 * Decided SMS events with their fingerprints. A later repeat is stored again, and the reconciler refuses it because its
 * payment is older than the records.
 */
export function oldSmsEvents(before: Date): OldRows {
  return oldRowsById('sms_events', before, {
    deletable: `old.status <> 'PARSED' and coalesce(old.match_status, '') not in ('PENDING', 'REVIEW_REQUIRED')`,
    also: `forgotten as (delete from sms_fingerprints f using gone where f.sms_event_id = gone.id),
     noted as (delete from balance_texts b using gone where b.sms_event_id = gone.id)`,
  });
}

/** Old gaps in balances, which no text will explain any more. */
export function oldMissingSms(before: Date): OldRows {
  return oldRowsById('missing_sms', before);
}
