import { dashboardOperations, type DeviceResponse } from '@pay/contracts';
import { findLastSeen } from '@pay/directory';
import type { Serve, Session } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { addDevice } from './add-device';
import { allowUnsignedTexts } from './allow-unsigned-texts';
import { beginPairing, newHashedCode } from './begin-pairing';
import { changeDevice } from './change-device';
import { disableDevice } from './disable-device';
import type { DeviceRecord } from '../domain/records';
import { deviceView } from '../domain/views';
import { findLastHeartbeat, type FindLastHeartbeatDeps } from './find-last-heartbeat';
import { changeOwn } from '../changes/change-own';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { findOwn, listOwn } from '../changes/own-records';
import type { ChangeDeps } from '../changes/store-change';

export interface DeviceRoutesDeps extends ManageDeps, FindLastHeartbeatDeps {
  /** Public URL of the API for phones. */
  readonly apiUrl: string;
  readonly offlineSeconds: number;
}

export function mountDevices(serve: Serve, deps: DeviceRoutesDeps): void {
  serve(dashboardOperations.createDevice, async ({ session, body: { environment, name, sims } }) => {
    const input = { tenant: { merchantId: session.merchantId, environment }, name, sims };
    const device = await onBehalfOf(deps, session, (changeDeps, tx) => addDevice(changeDeps, tx, input));
    return view(device);
  });

  serve(dashboardOperations.listDevices, async ({ session, query: { environment, ...place } }) => {
    const filter = { merchantId: session.merchantId, environment };
    const { data, ...page } = await listOwn(deps.db, 'device', filter, place);
    return { ...page, data: await views(data) };
  });
  serve(dashboardOperations.getDevice, async ({ session, params }) => {
    const device = await findOwn(deps.db, 'device', params.id, session.merchantId);
    const [body, lastHeartbeat] = await Promise.all([view(device), findLastHeartbeat(deps, device)]);
    return { ...body, lastHeartbeat };
  });

  serve(dashboardOperations.changeDevice, ({ session, params, body: { name, sims } }) =>
    change(session, params.id, (changeDeps, tx) =>
      changeDevice(changeDeps, tx, {
        deviceId: params.id,
        change: { ...(name !== undefined && { name }), ...(sims && { sims }) },
      }),
    ),
  );
  serve(dashboardOperations.disableDevice, ({ session, params }) =>
    change(session, params.id, (changeDeps, tx) =>
      disableDevice(changeDeps, tx, { deviceId: params.id, isDisabled: true }),
    ),
  );
  serve(dashboardOperations.enableDevice, ({ session, params }) =>
    change(session, params.id, (changeDeps, tx) =>
      disableDevice(changeDeps, tx, { deviceId: params.id, isDisabled: false }),
    ),
  );
  serve(dashboardOperations.allowUnsignedTexts, ({ session, params, body: { reason } }) =>
    change(session, params.id, (changeDeps, tx) =>
      allowUnsignedTexts(changeDeps, tx, { deviceId: params.id, isAllowed: true, reason }),
    ),
  );
  serve(dashboardOperations.refuseUnsignedTexts, ({ session, params }) =>
    change(session, params.id, (changeDeps, tx) =>
      allowUnsignedTexts(changeDeps, tx, { deviceId: params.id, isAllowed: false }),
    ),
  );

  serve(dashboardOperations.beginDevicePairing, async ({ session, params }) => {
    const hashed = await newHashedCode(session.userId);
    const input = { deviceId: params.id, userId: session.userId, apiUrl: deps.apiUrl, ...hashed };
    const { expiresAt, ...pairing } = await changeOwn(deps, session, 'device', params.id, (changeDeps, tx) =>
      beginPairing(changeDeps, tx, input),
    );
    return { ...pairing, expiresAt: expiresAt.toISOString() };
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
    session: Session,
    id: string,
    work: (changeDeps: ChangeDeps, tx: Transaction) => Promise<DeviceRecord>,
  ): Promise<DeviceResponse> {
    return view(await changeOwn(deps, session, 'device', id, work));
  }
}
