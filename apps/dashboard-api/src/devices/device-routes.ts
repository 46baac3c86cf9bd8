import { dashboardOperations, type DeviceResponse } from '@pay/contracts';
import { findLastSeen } from '@pay/directory';
import { sessionOf, type Serve } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import type { Response } from 'express';
import { addDevice } from './add-device';
import { allowUnsignedTexts } from './allow-unsigned-texts';
import { beginPairing, newHashedCode } from './begin-pairing';
import { changeDevice } from './change-device';
import { disableDevice } from './disable-device';
import type { DeviceRecord } from '../domain/records';
import { deviceView } from '../domain/views';
import { findLastHeartbeat, type FindLastHeartbeatDeps } from './find-last-heartbeat';
import { lockOwn } from '../changes/lock-record';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { findOwn, listOwn } from '../changes/own-records';
import type { ChangeDeps } from '../changes/store-change';

export interface DeviceRoutesDeps extends ManageDeps, FindLastHeartbeatDeps {
  /** Public URL of the API for phones. */
  readonly apiUrl: string;
  readonly offlineSeconds: number;
}

export function mountDevices(serve: Serve, deps: DeviceRoutesDeps): void {
  serve(dashboardOperations.createDevice, async ({ body: { environment, name, sims }, res }) => {
    const session = sessionOf(res);
    const input = { tenant: { merchantId: session.merchantId, environment }, name, sims };
    const device = await onBehalfOf(deps, session, (changeDeps, tx) => addDevice(changeDeps, tx, input));
    return { status: 201, body: await view(device) };
  });

  serve(dashboardOperations.listDevices, async ({ query: { environment, ...place }, res }) => {
    const filter = { merchantId: sessionOf(res).merchantId, environment };
    const { data, ...page } = await listOwn(deps.db, 'device', filter, place);
    return { status: 200, body: { ...page, data: await views(data) } };
  });
  serve(dashboardOperations.getDevice, async ({ params, res }) => {
    const device = await findOwn(deps.db, 'device', params.id, sessionOf(res).merchantId);
    const [body, lastHeartbeat] = await Promise.all([view(device), findLastHeartbeat(deps, device)]);
    return { status: 200, body: { ...body, lastHeartbeat } };
  });

  serve(dashboardOperations.changeDevice, ({ params, body: { name, sims }, res }) =>
    change(res, params.id, (changeDeps, tx) =>
      changeDevice(changeDeps, tx, {
        deviceId: params.id,
        change: { ...(name !== undefined && { name }), ...(sims && { sims }) },
      }),
    ),
  );
  serve(dashboardOperations.disableDevice, ({ params, res }) =>
    change(res, params.id, (changeDeps, tx) =>
      disableDevice(changeDeps, tx, { deviceId: params.id, isDisabled: true }),
    ),
  );
  serve(dashboardOperations.enableDevice, ({ params, res }) =>
    change(res, params.id, (changeDeps, tx) =>
      disableDevice(changeDeps, tx, { deviceId: params.id, isDisabled: false }),
    ),
  );
  serve(dashboardOperations.allowUnsignedTexts, ({ params, body: { reason }, res }) =>
    change(res, params.id, (changeDeps, tx) =>
      allowUnsignedTexts(changeDeps, tx, { deviceId: params.id, isAllowed: true, reason }),
    ),
  );
  serve(dashboardOperations.refuseUnsignedTexts, ({ params, res }) =>
    change(res, params.id, (changeDeps, tx) =>
      allowUnsignedTexts(changeDeps, tx, { deviceId: params.id, isAllowed: false }),
    ),
  );

  serve(dashboardOperations.beginDevicePairing, async ({ params, res }) => {
    const session = sessionOf(res);
    const hashed = await newHashedCode(session.userId);
    const { expiresAt, ...pairing } = await onBehalfOf(deps, session, async (changeDeps, tx) => {
      await lockOwn(tx, 'device', params.id, session.merchantId);
      const input = { deviceId: params.id, userId: session.userId, apiUrl: deps.apiUrl, ...hashed };
      return beginPairing(changeDeps, tx, input);
    });
    return { status: 201, body: { ...pairing, expiresAt: expiresAt.toISOString() } };
  });

  async function views(devices: readonly DeviceRecord[]): Promise<DeviceResponse[]> {
    const lastSeen = await findLastSeen(deps.db, devices);
    const moment = { now: deps.now(), offlineSeconds: deps.offlineSeconds };
    return devices.map((device) => deviceView(device, { lastSeen: lastSeen.get(device.id), ...moment }));
  }

  async function view(device: DeviceRecord): Promise<DeviceResponse> {
    const [only] = await views([device]);
    return only as DeviceResponse;
  }

  async function change(
    res: Response,
    id: string,
    work: (changeDeps: ChangeDeps, tx: Transaction) => Promise<DeviceRecord>,
  ): Promise<{ status: 200; body: DeviceResponse }> {
    const session = sessionOf(res);
    const device = await onBehalfOf(deps, session, async (changeDeps, tx) => {
      await lockOwn(tx, 'device', id, session.merchantId);
      return work(changeDeps, tx);
    });
    return { status: 200, body: await view(device) };
  }
}
