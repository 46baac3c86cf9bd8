import { z } from 'zod';
import { timestamp } from '../timestamp';

/**
 * A phone sent a heartbeat or SMS; published at most once a minute per device. aggregateId = device id. The newest
 * `seenAt` counts, in any order of arrival.
 */
export const deviceSeenV1 = z.object({
  deviceId: z.uuid(),
  seenAt: timestamp,
  /** False for forwarders without heartbeats: their silence does not mean that they are offline. */
  sendsHeartbeat: z.boolean(),
});
export type DeviceSeen = z.infer<typeof deviceSeenV1>;
