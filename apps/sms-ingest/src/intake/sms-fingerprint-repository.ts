import type { SmsStatus } from '@pay/contracts';
import { inTransaction, statement, type Queryable } from '@pay/persistence';

/** As the column holds it. */
export function bytes(fingerprint: string): Buffer {
  return Buffer.from(fingerprint, 'hex');
}

export interface KnownSms {
  readonly id: string;
  readonly status: SmsStatus;
}

const FIND_BY_FINGERPRINT = statement(
  'find-sms-by-fingerprint',
  `select encode(known.fingerprint, 'hex') as fingerprint, event.id, event.status
   from sms_fingerprints as known join sms_events as event on event.id = known.sms_event_id
   where known.fingerprint = any($1::bytea[])`,
);

/** The current events of the fingerprints. */
export async function findByFingerprint(
  db: Queryable,
  fingerprints: readonly string[],
): Promise<Map<string, KnownSms>> {
  const rows = await db.query<KnownSms & { fingerprint: string }>(FIND_BY_FINGERPRINT, [fingerprints.map(bytes)]);
  return new Map(rows.map(({ fingerprint, id, status }) => [fingerprint, { id, status }]));
}

/** Adds new fingerprints of a repeat to the original event. */
export const leadTo = inTransaction.command(
  'lead-fingerprints-to-sms',
  `update sms_fingerprints as known set sms_event_id = given.sms_event_id
   from unnest($1::bytea[], $2::uuid[]) as given (fingerprint, sms_event_id)
   where known.fingerprint = any($1::bytea[]) and known.fingerprint = given.fingerprint`,
  arraysOfLinks,
);

/** Adds ways in which stored events are recognised; those that lead somewhere already are left alone. */
export const addFingerprints = inTransaction.command(
  'add-sms-fingerprints',
  `insert into sms_fingerprints (fingerprint, sms_event_id)
   select fingerprint, sms_event_id from unnest($1::bytea[], $2::uuid[]) as given (fingerprint, sms_event_id)
   order by fingerprint on conflict (fingerprint) do nothing`,
  arraysOfLinks,
);

function arraysOfLinks(links: readonly (readonly [fingerprint: string, id: string])[]): unknown[] {
  return [links.map(([fingerprint]) => bytes(fingerprint)), links.map(([, id]) => id)];
}
