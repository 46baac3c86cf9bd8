import { command, mapped, rows } from '@pay/persistence';

export interface TextKey {
  readonly keyId: string;
  /** Sealed with it. */
  readonly proof: string;
}

/** Keys under which texts may be stored. */
export const textKeys = rows<TextKey>(
  'sms-text-keys',
  'select key_id as "keyId", proof from sms_text_keys order by key_id',
);

/** Records that texts are sealed with this key at this time. */
export const noteTextKey = command(
  'note-sms-text-key',
  `insert into sms_text_keys (key_id, proof, used_at) values ($1, $2, $3)
   on conflict (key_id) do update set used_at = greatest(sms_text_keys.used_at, excluded.used_at)`,
  ({ keyId, proof }: TextKey, at: Date) => [keyId, proof, at],
);

export const useTextKey = command<[keyId: string, at: Date]>(
  'use-sms-text-key',
  'update sms_text_keys set used_at = $2 where key_id = $1',
);

/** Nothing is left of what was sealed with keys that were last used before this time. */
export const forgetTextKeys = command<[before: Date]>(
  'forget-sms-text-keys',
  'delete from sms_text_keys where used_at < $1',
);

export const findSecret = mapped(({ sealed }: { readonly sealed: string }) => sealed).firstRow<[name: string]>(
  'find-sms-secret',
  'select sealed from sms_secrets where name = $1',
);

/** Does nothing when another process was first. */
export const addSecret = command<[name: string, sealed: string]>(
  'add-sms-secret',
  'insert into sms_secrets (name, sealed) values ($1, $2) on conflict (name) do nothing',
);

export const resealSecret = command<[name: string, before: string, sealed: string]>(
  'reseal-sms-secret',
  'update sms_secrets set sealed = $3 where name = $1 and sealed = $2',
);
