import {
  BusinessError,
  pairedDeviceResponseSchema,
  type PairDeviceRequest,
  type PairedDeviceResponse,
} from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';

export interface PairDeviceDeps {
  /** dashboard-api, the owner of devices. */
  readonly dashboardApi: Pick<ServiceClient, 'request'>;
}

/**
 * The new key works immediately, because an unknown key is looked up at its owner. The request is never repeated
 * automatically, because the code works once.
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
