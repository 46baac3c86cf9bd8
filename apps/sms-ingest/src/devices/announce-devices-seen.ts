import { draft, type Messaging } from '@pay/messaging';
import type { Database, Transaction } from '@pay/persistence';
import { takeUnannounced } from './device-last-seen-repository';

export interface AnnounceDevicesSeenDeps {
  readonly db: Pick<Database, 'transaction'>;
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly now: () => Date;
  /** A minute, except in tests. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 60_000;
const MOST_AT_ONCE = 500;

/**
 * Publishes which devices were seen: each at most once a minute by any replica, with its last-seen time. A delayed
 * contact is published when the minute is over.
 */
export async function announceDevicesSeen(deps: AnnounceDevicesSeenDeps): Promise<void> {
  let announced: number;
  do {
    announced = await deps.db.transaction((tx) => announceSome(deps, tx));
  } while (announced === MOST_AT_ONCE);
}

async function announceSome(
  { messaging, now, intervalMs = INTERVAL_MS }: AnnounceDevicesSeenDeps,
  tx: Transaction,
): Promise<number> {
  const devices = await takeUnannounced(tx, intervalMs, MOST_AT_ONCE);
  if (devices.length === 0) return 0;
  const occurredAt = now();
  const events = devices.map(({ deviceId, merchantId, environment, seenAt, sendsHeartbeat }) =>
    draft('device.seen', {
      environment,
      merchantId,
      aggregateId: deviceId,
      sequence: 0,
      occurredAt,
      data: { deviceId, seenAt: seenAt.toISOString(), sendsHeartbeat },
    }),
  );
  await messaging.publish(tx, events);
  return devices.length;
}
