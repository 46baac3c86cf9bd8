import { z } from 'zod';

/**
 * ONLINE: heard of lately. OFFLINE: sends heartbeats, and was not heard of for too long. UNKNOWN: never heard of, or
 * silent without ever sending heartbeats, so that its silence says nothing. DISABLED: may not forward, whatever it
 * does.
 */
export const DEVICE_STATUSES = ['ONLINE', 'OFFLINE', 'UNKNOWN', 'DISABLED'] as const;
export const deviceStatusSchema = z.enum(DEVICE_STATUSES);
export type DeviceStatus = z.infer<typeof deviceStatusSchema>;

export interface DevicePresence {
  readonly isDisabled: boolean;
  /** Null when it was never heard of. */
  readonly seenAt: Date | null;
  readonly sendsHeartbeat: boolean;
}

/** Three missed minutes, unless a setting says otherwise. */
export const DEVICE_OFFLINE_SECONDS = 180;

/** How a device stands at a moment. Nothing is stored of it: who is silent becomes OFFLINE without a write. */
export function deviceStatus(
  { isDisabled, seenAt, sendsHeartbeat }: DevicePresence,
  now: Date,
  offlineSeconds = DEVICE_OFFLINE_SECONDS,
): DeviceStatus {
  if (isDisabled) return 'DISABLED';
  if (seenAt !== null && now.getTime() - seenAt.getTime() <= offlineSeconds * 1_000) return 'ONLINE';
  return seenAt !== null && sendsHeartbeat ? 'OFFLINE' : 'UNKNOWN';
}
