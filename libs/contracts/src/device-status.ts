import { z } from 'zod';

/**
 * ONLINE: seen recently. OFFLINE: sends heartbeats and was not seen for too long. UNKNOWN: never seen, or sends no
 * heartbeats. DISABLED: may not forward SMS.
 */
export const DEVICE_STATUSES = ['ONLINE', 'OFFLINE', 'UNKNOWN', 'DISABLED'] as const;
export const deviceStatusSchema = z.enum(DEVICE_STATUSES);
export type DeviceStatus = z.infer<typeof deviceStatusSchema>;

export interface DevicePresence {
  readonly isDisabled: boolean;
  /** Null if it was never seen. */
  readonly seenAt: Date | null;
  readonly sendsHeartbeat: boolean;
}

/** Default: three minutes. */
export const DEVICE_OFFLINE_SECONDS = 180;

/**
 * The status of a device at a time. It is computed and not stored, so a silent device becomes OFFLINE without a write.
 */
export function deviceStatus(
  { isDisabled, seenAt, sendsHeartbeat }: DevicePresence,
  now: Date,
  offlineSeconds = DEVICE_OFFLINE_SECONDS,
): DeviceStatus {
  if (isDisabled) return 'DISABLED';
  if (seenAt !== null && now.getTime() - seenAt.getTime() <= offlineSeconds * 1_000) return 'ONLINE';
  return seenAt !== null && sendsHeartbeat ? 'OFFLINE' : 'UNKNOWN';
}
