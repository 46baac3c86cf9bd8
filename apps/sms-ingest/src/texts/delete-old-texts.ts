import { firstIdAt } from '@pay/persistence';
import type { EncryptionKey } from '@pay/runtime';
import { forgetTextKeys, useTextKey } from '../intake/sms-secret-repository';
import { deleteTexts, type TextDeletion } from './stored-text-repository';
import type { ServiceDeps } from '../service-deps';

/** Days that texts are kept; 0 keeps them for ever. */
export interface TextRetention {
  readonly days: number;
  readonly unparsedDays: number;
}

export interface DeleteOldTextsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly retention: TextRetention;
  readonly currentKey: Pick<EncryptionKey, 'id'>;
}

const DAY_MS = 86_400_000;
/** Rows of one transaction. */
const PAGE = 500;

/** Deletes old texts in small transactions. Parsed values and fingerprints are kept. */
export async function deleteOldTexts(deps: DeleteOldTextsDeps, signal: AbortSignal): Promise<void> {
  const { db, retention, currentKey, now } = deps;
  const at = now();
  await useTextKey(db, currentKey.id, at);
  const before = (days: number) => new Date(at.getTime() - days * DAY_MS);
  const { days, unparsedDays } = retention;
  if (days > 0) await deleteAll(deps, signal, { scope: 'UNDERSTOOD', before: firstIdAt(before(days)), all: false });
  if (unparsedDays > 0) {
    // Texts that were UNPARSED at the first pass may have been parsed since, and need this second pass.
    const all = days > 0 && days <= unparsedDays;
    await deleteAll(deps, signal, { scope: 'UNPARSED', before: firstIdAt(before(unparsedDays)), all });
  }
  if (days > 0 && unparsedDays > 0 && !signal.aborted) {
    // A day more, for a process that has sealed with another key until it was replaced.
    await forgetTextKeys(db, before(Math.max(days, unparsedDays) + 1));
  }
}

async function deleteAll(
  { db, log }: DeleteOldTextsDeps,
  signal: AbortSignal,
  deletion: Omit<TextDeletion, 'limit'>,
): Promise<void> {
  let total = 0;
  for (let isDone = false; !isDone && !signal.aborted;) {
    const page = await db.transaction((tx) => deleteTexts(tx, { ...deletion, limit: PAGE }));
    total += page.deleted;
    isDone = page.isDone;
  }
  if (total > 0) log.info({ scope: deletion.scope, texts: total }, 'sms.texts_deleted');
}
