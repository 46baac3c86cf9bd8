import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { storeLastSeen } from './device-last-seen-repository';

/** Keeps when devices were last heard of, as sms-ingest tells. */
export async function recordDevicesSeen(tx: Transaction, events: readonly EventOf[]): Promise<void> {
  await storeLastSeen(
    tx,
    eventsOf(events, 'device.seen').map((event) => event.data),
  );
}
