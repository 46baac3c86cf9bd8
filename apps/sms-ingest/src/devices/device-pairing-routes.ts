import { pairDevice as pairDeviceOperation } from '@pay/contracts';
import { addChallenge, operationServer, requestIdOf } from '@pay/http';
import type { Express, RequestHandler } from 'express';
import { pairDevice, type PairDeviceDeps } from './pair-device';

export interface DevicePairingDeps extends PairDeviceDeps {
  /** Limits attempts per address. The pairing itself counts wrong codes. */
  readonly pairingGuard: RequestHandler;
}

/** `POST /v1/devices/pair`: returns the key of a phone. */
export function mountDevicePairing(app: Express, deps: DevicePairingDeps): void {
  const serve = operationServer(app, { guard: () => [deps.pairingGuard] });

  serve(pairDeviceOperation, ({ body, res }) =>
    pairDevice(deps, body, requestIdOf(res)).catch(addChallenge('PAIRING_REFUSED', 'Pairing realm="payment-gateway"')),
  );
}
