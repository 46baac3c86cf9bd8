import { pairDeviceRequestSchema, pairedDeviceResponseSchema, type ServiceName, BusinessError } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { pairDevice, type PairDeviceDeps } from './pair-device';

export interface InternalPairingDeps extends PairDeviceDeps {
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/** `POST /internal/v1/devices/pair`: what a phone sends to sms-ingest, for this service alone writes devices. */
export function mountInternalPairing(app: Express, { peerSecrets, ...deps }: InternalPairingDeps): void {
  app.post(
    '/internal/v1/devices/pair',
    serviceAuth({ audience: 'dashboard-api', secrets: peerSecrets, allow: ['sms-ingest'] }),
    route({ body: pairDeviceRequestSchema }, async ({ body }) => {
      const paired = await pairDevice(deps, body);
      if (!paired) throw new BusinessError('PAIRING_REFUSED');
      return { status: 200, body: pairedDeviceResponseSchema.parse(paired) };
    }),
  );
}
