import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';

/** The address is refused by all replicas within about a second. An unknown hook is ignored. */
export async function deleteForwarderHook(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, hookId }: { deviceId: string; hookId: string },
): Promise<void> {
  await changeRecord(deps, tx, 'device', deviceId, ({ hooks }) => ({
    action: 'device.hook_deleted',
    fields: { hooks: hooks.filter(({ id }) => id !== hookId) },
  }));
}
