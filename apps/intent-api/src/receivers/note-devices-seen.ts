import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { storeLastSeen, type DeviceLastSeen } from './device-last-seen-repository';

/** A clock that is far ahead must not make a phone appear online for too long. */
function notAhead(seenAt: string, now: Date): string {
  return Date.parse(seenAt) > now.getTime() ? now.toISOString() : seenAt;
}

export function noteDevicesSeen({ now }: { now: () => Date }, tx: Transaction, events: readonly EventOf[]): void {
  const seen = eventsOf(events, 'device.seen').map(({ data }): DeviceLastSeen => ({
    deviceId: data.deviceId,
    seenAt: notAhead(data.seenAt, now()),
  }));
  storeLastSeen(tx, seen);
}
