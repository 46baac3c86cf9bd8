import { pairDeviceRequestSchema, pairedDeviceResponseSchema, BusinessError } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import { pairDevice, type PairDeviceDeps } from './pair-device';

/** sms-ingest calls this for a phone, because only this service writes devices. */
export function mountInternalPairing(smsIngest: InternalRoutes, deps: PairDeviceDeps): void {
  smsIngest.post('/internal/v1/devices/pair', { body: pairDeviceRequestSchema }, async ({ body }) => {
    const paired = await pairDevice(deps, body);
    if (!paired) throw new BusinessError('PAIRING_REFUSED');
    return pairedDeviceResponseSchema.parse(paired);
  });
}
