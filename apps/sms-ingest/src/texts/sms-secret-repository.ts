import { statement, type Queryable } from '@pay/persistence';

export interface TextKey {
  readonly keyId: string;
  /** Sealed with it. */
  readonly proof: string;
}

const TEXT_KEYS = statement('sms-text-keys', 'select key_id as "keyId", proof from sms_text_keys order by key_id');

/** Keys under which texts may be stored. */
export async function textKeys(db: Queryable): Promise<TextKey[]> {
  return db.query<TextKey>(TEXT_KEYS);
}

const NOTE_TEXT_KEY = statement(
  'note-sms-text-key',
  `insert into sms_text_keys (key_id, proof, used_at) values ($1, $2, $3)
   on conflict (key_id) do update set used_at = greatest(sms_text_keys.used_at, excluded.used_at)`,
);

/** Records that texts are sealed with this key at this time. */
export async function noteTextKey(db: Queryable, { keyId, proof }: TextKey, at: Date): Promise<void> {
  await db.execute(NOTE_TEXT_KEY, [keyId, proof, at]);
}

const USE_TEXT_KEY = statement('use-sms-text-key', 'update sms_text_keys set used_at = $2 where key_id = $1');

export async function useTextKey(db: Queryable, keyId: string, at: Date): Promise<void> {
  await db.execute(USE_TEXT_KEY, [keyId, at]);
}

const FORGET_TEXT_KEYS = statement('forget-sms-text-keys', 'delete from sms_text_keys where used_at < $1');

/** Nothing is left of what was sealed with keys that were last used before this time. */
export async function forgetTextKeys(db: Queryable, before: Date): Promise<void> {
  await db.execute(FORGET_TEXT_KEYS, [before]);
}

const FIND_SECRET = statement('find-sms-secret', 'select sealed from sms_secrets where name = $1');

export async function findSecret(db: Queryable, name: string): Promise<string | undefined> {
  return (await db.query<{ sealed: string }>(FIND_SECRET, [name]))[0]?.sealed;
}

const ADD_SECRET = statement(
  'add-sms-secret',
  'insert into sms_secrets (name, sealed) values ($1, $2) on conflict (name) do nothing',
);

/** Does nothing when another process was first. */
export async function addSecret(db: Queryable, name: string, sealed: string): Promise<void> {
  await db.execute(ADD_SECRET, [name, sealed]);
}

const RESEAL_SECRET = statement(
  'reseal-sms-secret',
  'update sms_secrets set sealed = $3 where name = $1 and sealed = $2',
);

export async function resealSecret(db: Queryable, name: string, before: string, sealed: string): Promise<void> {
  await db.execute(RESEAL_SECRET, [name, before, sealed]);
}
