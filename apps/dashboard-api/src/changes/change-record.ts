import type { Transaction } from '@pay/persistence';
import { changed, type RecordKind, type Records } from '../domain/records';
import { lockRecord } from './lock-record';
import { storeChange, type ChangeDeps } from './store-change';

export interface RecordChange<Kind extends RecordKind> {
  /** In the past tense: `api_key.revoked`. */
  readonly action: string;
  /** The fields that the next version has. */
  readonly fields: Partial<Records[Kind]>;
  /** The reason, if the action requires one. */
  readonly reason?: string | undefined;
}

/** Locks a record, stores its next version as `storeChange` does, and returns that version. */
export async function changeRecord<Kind extends RecordKind>(
  deps: ChangeDeps,
  tx: Transaction,
  kind: Kind,
  id: string,
  change: (before: Records[Kind], now: Date) => RecordChange<Kind> | Promise<RecordChange<Kind>>,
): Promise<Records[Kind]> {
  const before = await lockRecord(tx, kind, id);
  const now = deps.now();
  const { action, fields, reason } = await change(before, now);
  const after = changed<Records[Kind]>(before, fields, now);
  await storeChange(deps, tx, { kind, action, before, after, reason });
  return after;
}
