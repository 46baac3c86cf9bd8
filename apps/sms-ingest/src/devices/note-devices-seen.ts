import type { DeviceFact } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { every, type Logger, type Worker } from '@pay/runtime';
import { storeLastSeen, type SeenDevice } from './device-last-seen-repository';

/** `sms`: it forwarded an SMS. `heartbeat`: it sent a heartbeat. */
export type SeenBy = 'sms' | 'heartbeat';
export type NoteSeen = (device: Pick<DeviceFact, 'id' | 'merchantId' | 'environment'>, seen: { by: SeenBy }) => void;

export interface DevicesSeenDeps {
  readonly db: Queryable;
  readonly log: Logger;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly intervalMs?: number;
}

export interface DevicesSeen {
  /** Records in memory that a device was seen, without a write during the request. */
  readonly noteSeen: NoteSeen;
  /** Stores the devices that were seen since the last time, in one statement. */
  worker(): Worker;
}

const INTERVAL_MS = 1_000;
/** A device that was stored this recently is not stored again: the time is shown in minutes. */
const KEPT_MS = 15_000;

interface Noted extends Pick<SeenDevice, 'deviceId' | 'merchantId' | 'environment' | 'isHeartbeat'> {
  readonly at: number;
}

/** Stores when devices were last seen. Times that are lost with a process are stored with the next SMS or heartbeat. */
export function devicesSeen({ db, log, clock, intervalMs = INTERVAL_MS }: DevicesSeenDeps): DevicesSeen {
  let noted = new Map<string, Noted>();
  const writtenAt = new Map<string, number>();

  function noteSeen({ id, merchantId, environment }: Parameters<NoteSeen>[0], { by }: { by: SeenBy }): void {
    const at = clock();
    const isHeartbeat = by === 'heartbeat' || noted.get(id)?.isHeartbeat === true;
    if (by === 'sms' && at - (writtenAt.get(id) ?? -KEPT_MS) < KEPT_MS) return;
    noted.set(id, { deviceId: id, merchantId, environment, isHeartbeat, at });
  }

  async function write(): Promise<void> {
    const at = clock();
    for (const [id, written] of writtenAt) if (at - written >= KEPT_MS) writtenAt.delete(id);
    if (noted.size === 0) return;
    const writing = noted;
    noted = new Map();
    try {
      await storeLastSeen(
        db,
        [...writing.values()].map((each) => ({ ...each, ageMs: Math.max(0, clock() - each.at) })),
      );
      for (const id of writing.keys()) writtenAt.set(id, at);
    } catch (error) {
      // Stored with the next write, unless they were seen again since.
      noted = new Map([...writing, ...noted]);
      throw error;
    }
  }

  return { noteSeen, worker: () => every('devices-last-seen', intervalMs, write, { log }) };
}
