import type { DeviceFact } from '@pay/contracts';

/** Three heartbeats. */
const ONLINE_WITHIN_MS = 3 * 60_000;

export interface DeviceLastSeen {
  readonly deviceId: string;
  readonly seenAt: Date;
  /** False for forwarders that send SMS and nothing else: their silence says nothing. */
  readonly sendsHeartbeat: boolean;
}

/**
 * Which receiver accounts have a phone that is there. True when one that sends heartbeats was heard of lately, false
 * when all of the account's phones send them and none was. An account of which neither can be said is missing.
 */
export function receiversOnline(
  devices: readonly DeviceFact[],
  devicesLastSeen: readonly DeviceLastSeen[],
  now: Date,
): ReadonlyMap<string, boolean> {
  const lastSeenOf = new Map(devicesLastSeen.map((lastSeen) => [lastSeen.deviceId, lastSeen]));
  const phonesOf = new Map<string, DeviceState[]>();
  for (const device of devices) {
    if (device.isDisabled) continue;
    const state = stateOf(lastSeenOf.get(device.id), now);
    for (const id of device.sims.flatMap((sim) => sim.receiverAccountIds)) {
      phonesOf.set(id, [...(phonesOf.get(id) ?? []), state]);
    }
  }
  const online = new Map<string, boolean>();
  for (const [id, phones] of phonesOf) {
    if (phones.includes('there')) online.set(id, true);
    else if (!phones.includes('unknown')) online.set(id, false);
  }
  return online;
}

type DeviceState = 'there' | 'silent' | 'unknown';

function stateOf(lastSeen: DeviceLastSeen | undefined, now: Date): DeviceState {
  if (lastSeen === undefined || !lastSeen.sendsHeartbeat) return 'unknown';
  return now.getTime() - lastSeen.seenAt.getTime() < ONLINE_WITHIN_MS ? 'there' : 'silent';
}
