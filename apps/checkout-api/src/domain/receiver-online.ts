import type { DeviceFact } from '@pay/contracts';

/** Three heartbeats. */
const ONLINE_WITHIN_MS = 3 * 60_000;

export interface LastSeen {
  readonly seenAt: Date;
  /** False for forwarders without heartbeats, whose silence has no meaning. */
  readonly sendsHeartbeat: boolean;
}

/**
 * True: a phone with heartbeats was seen recently. False: all phones of the account send heartbeats and none was seen.
 * Accounts of unknown state are missing.
 */
export function receiversOnline(
  devices: readonly DeviceFact[],
  lastSeen: ReadonlyMap<string, LastSeen>,
  now: Date,
): ReadonlyMap<string, boolean> {
  const phonesOf = new Map<string, DeviceState[]>();
  for (const device of devices) {
    if (device.isDisabled) continue;
    const state = stateOf(lastSeen.get(device.id), now);
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

function stateOf(lastSeen: LastSeen | undefined, now: Date): DeviceState {
  if (lastSeen === undefined || !lastSeen.sendsHeartbeat) return 'unknown';
  return now.getTime() - lastSeen.seenAt.getTime() < ONLINE_WITHIN_MS ? 'there' : 'silent';
}
