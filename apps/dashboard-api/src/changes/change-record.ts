import type { Transaction } from '@pay/persistence';
import { changed, type RecordKind, type Records } from '../domain/records';
import { lockRecord } from './lock-record';
import { storeChange, type ChangeDeps } from './store-change';

export interface RecordChange<Kind extends RecordKind> {
  /** In the past tense. Example: `api_key.revoked`. */
  readonly action: string;
  /** Fields that change. */
  readonly fields: Partial<Records[Kind]>;
  readonly reason?: string | undefined;
}

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
