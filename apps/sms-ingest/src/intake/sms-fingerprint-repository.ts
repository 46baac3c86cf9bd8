import type { SmsStatus } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

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

const LEAD_TO = statement(
  'lead-fingerprints-to-sms',
  `update sms_fingerprints as known set sms_event_id = given.sms_event_id
   from unnest($1::bytea[], $2::uuid[]) as given (fingerprint, sms_event_id)
   where known.fingerprint = any($1::bytea[]) and known.fingerprint = given.fingerprint`,
);

/** Adds new fingerprints of a repeat to the original event. */
export async function leadTo(
  tx: Transaction,
  links: readonly (readonly [fingerprint: string, id: string])[],
): Promise<void> {
  await tx.execute(LEAD_TO, [links.map(([fingerprint]) => bytes(fingerprint)), links.map(([, id]) => id)]);
}

const ADD = statement(
  'add-sms-fingerprints',
  `insert into sms_fingerprints (fingerprint, sms_event_id, is_keyed)
   select fingerprint, sms_event_id, true from unnest($1::bytea[], $2::uuid[]) as given (fingerprint, sms_event_id)
   order by fingerprint on conflict (fingerprint) do nothing`,
);

/** Adds ways in which stored events are recognised; those that lead somewhere already are left alone. */
export async function addFingerprints(
  tx: Transaction,
  links: readonly (readonly [fingerprint: string, id: string])[],
): Promise<void> {
  await tx.execute(ADD, [links.map(([fingerprint]) => bytes(fingerprint)), links.map(([, id]) => id)]);
}

/** A hash stored by a process of the previous version, and its replacement. */
export type Keying = readonly [plain: string, keyed: string];

// A text that processes of both versions have stored has both, and then the plain one stays for the worker to delete.
const KEY = statement(
  'key-sms-fingerprints',
  `update sms_fingerprints as known set fingerprint = given.keyed, is_keyed = true
   from unnest($1::bytea[], $2::bytea[]) as given (plain, keyed)
   where known.fingerprint = any($1::bytea[]) and known.fingerprint = given.plain
     and not exists (select 1 from sms_fingerprints as other where other.fingerprint = given.keyed)`,
);
const DELETE_PLAIN = statement(
  'delete-plain-sms-fingerprints',
  'delete from sms_fingerprints where fingerprint = any($1::bytea[]) and not is_keyed',
);

export async function keyFingerprints(tx: Transaction, keyings: readonly Keying[]): Promise<void> {
  await tx.execute(KEY, [keyings.map(([plain]) => bytes(plain)), keyings.map(([, keyed]) => bytes(keyed))]);
}

export async function deletePlainFingerprints(tx: Transaction, plain: readonly string[]): Promise<void> {
  await tx.execute(DELETE_PLAIN, [plain.map(bytes)]);
}

const LOCK_PLAIN = statement(
  'lock-plain-sms-fingerprints',
  `select encode(fingerprint, 'hex') as fingerprint from sms_fingerprints where not is_keyed
   order by fingerprint limit $1 for update skip locked`,
);

/** Some of those that a process of the version before has stored. */
export async function lockPlainFingerprints(tx: Transaction, limit: number): Promise<string[]> {
  return (await tx.query<{ fingerprint: string }>(LOCK_PLAIN, [limit])).map(({ fingerprint }) => fingerprint);
}

const PLAIN_REMAIN = statement(
  'plain-sms-fingerprints-remain',
  'select exists (select 1 from sms_fingerprints where not is_keyed) as remain',
);

export async function plainFingerprintsRemain(db: Queryable): Promise<boolean> {
  return (await db.query<{ remain: boolean }>(PLAIN_REMAIN))[0]?.remain ?? false;
}
