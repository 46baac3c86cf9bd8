import type { DeviceFact } from '@pay/contracts';

/** Three heartbeats. */
const HEARD_WITHIN_MS = 3 * 60_000;

export interface Sighting {
  readonly deviceId: string;
  readonly seenAt: Date;
  /** False for forwarders that send SMS and nothing else: their silence says nothing. */
  readonly sendsHeartbeat: boolean;
}

/**
 * Which receiver accounts have a phone that is there. True when one that sends heartbeats was heard of lately, false when all of the
 * account's phones send them and none was. An account of which neither can be said is missing.
 */
export function receiversOnline(
  devices: readonly DeviceFact[],
  sightings: readonly Sighting[],
  now: Date,
): ReadonlyMap<string, boolean> {
  const sightingOf = new Map(sightings.map((sighting) => [sighting.deviceId, sighting]));
  const phonesOf = new Map<string, Standing[]>();
  for (const device of devices) {
    if (device.isDisabled) continue;
    const standing = standingOf(sightingOf.get(device.id), now);
    for (const id of device.sims.flatMap((sim) => sim.receiverAccountIds)) {
      phonesOf.set(id, [...(phonesOf.get(id) ?? []), standing]);
    }
  }
  const online = new Map<string, boolean>();
  for (const [id, phones] of phonesOf) {
    if (phones.includes('there')) online.set(id, true);
    else if (!phones.includes('unknown')) online.set(id, false);
  }
  return online;
}

type Standing = 'there' | 'silent' | 'unknown';

function standingOf(sighting: Sighting | undefined, now: Date): Standing {
  if (sighting === undefined || !sighting.sendsHeartbeat) return 'unknown';
  return now.getTime() - sighting.seenAt.getTime() < HEARD_WITHIN_MS ? 'there' : 'silent';
}
