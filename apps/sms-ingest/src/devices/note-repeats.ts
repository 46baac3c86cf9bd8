import { daysBefore, deleteOldRows } from '@pay/persistence';
import { every, type Worker } from '@pay/runtime';
import { noteDeviceRepeats, oldRepeats, type DeviceRepeat } from './device-message-repository';
import { MOST_WATERMARK_DAYS } from '../domain/watermark';
import type { ServiceDeps } from '../service-deps';

export type DeviceRepeatsDeps = Pick<ServiceDeps, 'db' | 'log' | 'now'>;

export interface DeviceRepeats {
  /** Records in the background that a device sent a repeated message. */
  readonly noteRepeat: (repeat: DeviceRepeat) => void;
  workers(): Worker[];
}

const WRITE_INTERVAL_MS = 1_000;
const FORGET_INTERVAL_MS = 10 * 60_000;

/**
 * Without them, texts that another phone sent first would stay missing in the watermark. Records that are lost with a
 * process are sent again.
 */
export function deviceRepeats({ db, log, now }: DeviceRepeatsDeps): DeviceRepeats {
  let noted: DeviceRepeat[] = [];
  /** One day more than the longest request. */
  const oldest = () => daysBefore(now(), MOST_WATERMARK_DAYS + 1);

  async function write(): Promise<void> {
    if (noted.length === 0) return;
    const writing = noted;
    noted = [];
    await noteDeviceRepeats(db, writing);
  }

  async function forget(signal: AbortSignal): Promise<void> {
    await deleteOldRows(db, [oldRepeats(oldest())], signal);
  }

  return {
    noteRepeat: (repeat) => {
      if (repeat.receivedAt >= oldest()) noted.push(repeat);
    },
    workers: () => [
      every('device-repeats', WRITE_INTERVAL_MS, write, { log }),
      every('old-device-repeats', FORGET_INTERVAL_MS, forget, { log }),
    ],
  };
}
