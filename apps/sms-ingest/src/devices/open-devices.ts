import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import { groupCommit } from '@pay/persistence';
import { every, type Worker } from '@pay/runtime';
import { announceDevicesSeen } from './announce-devices-seen';
import type { SmsIngestConfig } from '../config';
import { listRereadRequests } from '../balances/list-reread-requests';
import { devicesSeen, type DevicesSeen } from './note-devices-seen';
import { deviceRepeats, type DeviceRepeats } from './note-repeats';
import { deviceMetrics, silenceRound } from './notice-silence';
import type { ReceiveHeartbeatDeps } from './receive-heartbeat';
import { storeHeartbeats } from './store-heartbeats';
import type { ServiceDeps } from '../service-deps';

export type DeviceSettings = Pick<
  SmsIngestConfig,
  'DEVICE_OFFLINE_SECONDS' | 'DEVICE_ALERT_SECONDS' | 'DEVICE_REREAD_ASKS'
>;

export interface DevicesParts extends Pick<ServiceDeps, 'db' | 'log' | 'metrics' | 'now'> {
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly directory: Pick<Directory, 'receiverAccounts'>;
  readonly settings: DeviceSettings;
  readonly clock: () => number;
}

/** Dependencies of the phone routes. */
export type DeviceRouteDeps = ReceiveHeartbeatDeps & Pick<DevicesSeen, 'noteSeen'> & Pick<DeviceRepeats, 'noteRepeat'>;

const ANNOUNCE_INTERVAL_MS = 1_000;
const ROUND_INTERVAL_MS = 10_000;

/** Heartbeats, offline detection and watermarks of phones. */
export function openDevices(parts: DevicesParts): { readonly routeDeps: DeviceRouteDeps; workers(): Worker[] } {
  const { db, messaging, directory, settings, log, now, clock } = parts;
  const seen = devicesSeen({ db, log, clock });
  const repeats = deviceRepeats({ db, log, now });
  const round = silenceRound({
    db,
    log,
    clock,
    metrics: deviceMetrics(parts.metrics),
    offlineSeconds: settings.DEVICE_OFFLINE_SECONDS,
    alertSeconds: settings.DEVICE_ALERT_SECONDS,
  });
  return {
    routeDeps: {
      noteSeen: seen.noteSeen,
      noteRepeat: repeats.noteRepeat,
      storeHeartbeat: groupCommit({ db, name: 'store-heartbeats', run: storeHeartbeats }),
      listReread: (device) => listRereadRequests({ db, directory, mostAsks: settings.DEVICE_REREAD_ASKS }, device),
    },
    workers: () => [
      seen.worker(),
      ...repeats.workers(),
      every('device-announcements', ANNOUNCE_INTERVAL_MS, () => announceDevicesSeen({ db, messaging, now }), { log }),
      every('silent-devices', ROUND_INTERVAL_MS, round, { log }),
    ],
  };
}
