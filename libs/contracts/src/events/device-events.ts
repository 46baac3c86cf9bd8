import { z } from 'zod';

/**
 * A phone was heard of, by a heartbeat or by an SMS; told at most once a minute per device. aggregateId = device id.
 * Nothing counts these: the newest `seenAt` is what is known, whatever the order in which they come.
 */
export const deviceSeenV1 = z.object({
  deviceId: z.uuid(),
  seenAt: z.iso.datetime({ offset: true }),
  /** False for forwarders that send SMS and nothing else: their silence says nothing. */
  sendsHeartbeat: z.boolean(),
});
export type DeviceSeen = z.infer<typeof deviceSeenV1>;
