import {
  BusinessError,
  pairedDeviceResponseSchema,
  type PairDeviceRequest,
  type PairedDeviceResponse,
} from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';

export interface PairDeviceDeps {
  /** dashboard-api, which alone writes devices. */
  readonly dashboardApi: Pick<ServiceClient, 'request'>;
}

/**
 * The new key works at once: the copy of the directory asks the owner about a key that it does not know yet. Never
 * repeated by itself, because the code works once: a phone whose answer got lost needs another code.
 */
export async function pairDevice(
  { dashboardApi }: PairDeviceDeps,
  body: PairDeviceRequest,
  requestId: string,
): Promise<PairedDeviceResponse> {
  try {
    return await dashboardApi.request('POST', '/internal/v1/devices/pair', {
      schema: pairedDeviceResponseSchema,
      body,
      requestId,
    });
  } catch (error) {
    const refused = error instanceof ServiceCallFailed && error.code === 'PAIRING_REFUSED';
    throw refused ? new BusinessError('PAIRING_REFUSED') : error;
  }
}
