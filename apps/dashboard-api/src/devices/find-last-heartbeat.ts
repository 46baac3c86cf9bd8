import { deviceLastSeenSchema, type LastHeartbeat } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import type { Logger } from '@pay/runtime';
import type { DeviceRecord } from '../domain/records';

export interface FindLastHeartbeatDeps {
  readonly smsIngest: Pick<ServiceClient, 'request'>;
  readonly log: Logger;
}

/** Null if there is none or if sms-ingest does not respond. */
export async function findLastHeartbeat(
  { smsIngest, log }: FindLastHeartbeatDeps,
  { id, merchantId, environment }: Pick<DeviceRecord, 'id' | 'merchantId' | 'environment'>,
): Promise<LastHeartbeat | null> {
  const tenant = { merchantId, environment };
  try {
    const { sighting } = await smsIngest.request('GET', `/internal/v1/devices/${id}`, {
      schema: deviceLastSeenSchema,
      tenant,
    });
    return sighting?.lastHeartbeat ?? null;
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    log.warn({ err: error, deviceId: id }, 'device.heartbeat_not_read');
    return null;
  }
}
