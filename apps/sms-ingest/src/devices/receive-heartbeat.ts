import type { DeviceFact, HeartbeatRequest, HeartbeatResponse } from '@pay/contracts';
import type { DeviceHeartbeat } from './device-last-seen-repository';
import type { RereadRequest } from '../balances/list-reread-requests';

export interface ReceiveHeartbeatDeps {
  /** Resolves with the database's time when the heartbeat is written. */
  readonly storeHeartbeat: (heartbeat: DeviceHeartbeat) => Promise<Date>;
  readonly listReread: (device: DeviceFact) => Promise<readonly RereadRequest[]>;
}

const HEARTBEAT_SECONDS = 60;

/** Stores a phone's heartbeat and returns its instructions. An authenticated phone is online. */
export async function receiveHeartbeat(
  { storeHeartbeat, listReread }: ReceiveHeartbeatDeps,
  device: DeviceFact,
  said: HeartbeatRequest,
): Promise<HeartbeatResponse> {
  const { id: deviceId, merchantId, environment } = device;
  const facts = {
    batteryPercent: said.batteryPercent ?? null,
    isCharging: said.isCharging ?? null,
    appVersion: said.appVersion ?? null,
    queueDepth: said.queueDepth ?? null,
    lastSmsAt: said.lastSmsAt ?? null,
    simSlots: said.simSlots ?? null,
  };
  const serverTime = await storeHeartbeat({ deviceId, merchantId, environment, facts });
  const reread = await listReread(device);
  return {
    serverTime: serverTime.toISOString(),
    status: 'ONLINE',
    nextHeartbeatSeconds: HEARTBEAT_SECONDS,
    reread: reread.map(({ from, to, ...place }) => ({ ...place, from: from.toISOString(), to: to.toISOString() })),
  };
}
