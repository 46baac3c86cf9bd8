import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { storeLastSeen } from './device-last-seen-repository';
import type { DeviceLastSeen } from '../domain/receiver-online';

/** Stores when phones were last seen, so that the page can warn that the receiver's phone is offline. */
export function noteDevicesSeen({ now }: { now: () => Date }, tx: Transaction, events: readonly EventOf[]): void {
  const devicesLastSeen = eventsOf(events, 'device.seen').map(({ data }): DeviceLastSeen => ({
    deviceId: data.deviceId,
    // A clock that is far ahead must not make a phone appear online for too long.
    seenAt: new Date(Math.min(Date.parse(data.seenAt), now().getTime())),
    sendsHeartbeat: data.sendsHeartbeat,
  }));
  storeLastSeen(tx, devicesLastSeen);
}
