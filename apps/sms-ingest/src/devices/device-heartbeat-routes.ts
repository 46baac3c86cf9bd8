import { compareMessages, getWatermark, sendHeartbeat } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { deviceOf, operationServer } from '@pay/http';
import type { Express } from 'express';
import { listMissing, readWatermark, type ReadWatermarkDeps } from './read-watermark';
import { receiveHeartbeat, type ReceiveHeartbeatDeps } from './receive-heartbeat';

export interface DeviceHeartbeatDeps extends ReceiveHeartbeatDeps, ReadWatermarkDeps {
  readonly directory: Pick<Directory, 'findDevice'>;
}

/** `/v1/devices/heartbeat` and `/v1/devices/watermark`. */
export function mountDeviceHeartbeat(app: Express, deps: DeviceHeartbeatDeps): void {
  const serve = operationServer(app, { findDevice: (key) => deps.directory.findDevice(key) });

  serve(sendHeartbeat, async ({ body, res }) => ({
    status: 200,
    body: await receiveHeartbeat(deps, deviceOf(res), body),
  }));
  serve(getWatermark, async ({ query, res }) => ({
    status: 200,
    body: await readWatermark(deps, deviceOf(res), query.since),
  }));
  serve(compareMessages, async ({ body, res }) => ({
    status: 200,
    body: { missing: await listMissing(deps, deviceOf(res), body.messages) },
  }));
}
