import { pairDevice as pairDeviceOperation } from '@pay/contracts';
import { operationServer, requestIdOf } from '@pay/http';
import type { Express } from 'express';
import { pairDevice, type PairDeviceDeps } from '../pair-device';

/** `POST /v1/devices/pair`: how a phone gets its key. */
export function mountDevicePairing(app: Express, deps: PairDeviceDeps): void {
  const serve = operationServer(app, {});

  serve(pairDeviceOperation, async ({ body, res }) => ({
    status: 200,
    body: await pairDevice(deps, body, requestIdOf(res)),
  }));
}
