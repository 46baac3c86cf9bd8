import type { Transaction } from '@pay/persistence';
import { changed } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

/** Stops its address everywhere in about a second. One that is gone already leaves no trace. */
export async function deleteForwarderHook(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, hookId }: { deviceId: string; hookId: string },
): Promise<void> {
  const before = await lockRecord(tx, 'device', deviceId);
  const hooks = before.hooks.filter(({ id }) => id !== hookId);
  const after = changed(before, { hooks }, deps.now());
  await storeChange(deps, tx, { kind: 'device', action: 'device.hook_deleted', before, after });
}
