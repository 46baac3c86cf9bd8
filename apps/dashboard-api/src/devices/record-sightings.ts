import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { noteSightings } from './device-sighting-repository';

/** Keeps when devices were last heard of, as sms-ingest tells. */
export async function recordSightings(tx: Transaction, events: readonly EventOf[]): Promise<void> {
  await noteSightings(
    tx,
    eventsOf(events, 'device.seen').map((event) => event.data),
  );
}
