import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { storeLastSeen } from './device-last-seen-repository';

/** Stores when devices were last seen, from events of sms-ingest. */
export async function recordDevicesSeen(tx: Transaction, events: readonly EventOf[]): Promise<void> {
  await storeLastSeen(
    tx,
    eventsOf(events, 'device.seen').map((event) => event.data),
  );
}
