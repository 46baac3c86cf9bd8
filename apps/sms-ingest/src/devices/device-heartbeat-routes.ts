import { compareMessages, getWatermark, sendHeartbeat } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { operationServer } from '@pay/http';
import type { Express } from 'express';
import { listMissing, readWatermark, type ReadWatermarkDeps } from './read-watermark';
import { receiveHeartbeat, type ReceiveHeartbeatDeps } from './receive-heartbeat';

export interface DeviceHeartbeatDeps extends ReceiveHeartbeatDeps, ReadWatermarkDeps {
  readonly directory: Pick<Directory, 'findDevice'>;
}

/** `/v1/devices/heartbeat` and `/v1/devices/watermark`. */
export function mountDeviceHeartbeat(app: Express, deps: DeviceHeartbeatDeps): void {
  const serve = operationServer(app, { findDevice: (key) => deps.directory.findDevice(key) });

  serve(sendHeartbeat, ({ device, body }) => receiveHeartbeat(deps, device, body));
  serve(getWatermark, ({ device, query }) => readWatermark(deps, device, query.since));
  serve(compareMessages, async ({ device, body }) => ({ missing: await listMissing(deps, device, body.messages) }));
}
