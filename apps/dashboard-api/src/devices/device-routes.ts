import { dashboardOperations, type DeviceResponse } from '@pay/contracts';
import { findLastSeen } from '@pay/directory';
import type { Serve, Session } from '@pay/http';
import { addDevice } from './add-device';
import { allowUnsignedTexts } from './allow-unsigned-texts';
import { beginPairing, newHashedCode } from './begin-pairing';
import { changeDevice } from './change-device';
import { disableDevice } from './disable-device';
import { createForwarderHook, type CreateForwarderHookDeps } from './create-forwarder-hook';
import { deleteForwarderHook } from './delete-forwarder-hook';
import type { DeviceRecord } from '../domain/records';
import { forwarderHookView } from '../domain/forwarder-hook';
import { deviceView } from '../domain/views';
import { findLastHeartbeat, type FindLastHeartbeatDeps } from './find-last-heartbeat';
import { changeOwn } from '../changes/change-own';
import { onBehalfOf, type ManageDeps, type UseCase } from '../changes/on-behalf-of';
import { findOwn, listOwn } from '../changes/own-records';

export interface DeviceRoutesDeps
  extends ManageDeps, FindLastHeartbeatDeps, Pick<CreateForwarderHookDeps, 'hookSecrets'> {
  /** Public URL of the API for phones. */
  readonly apiUrl: string;
  readonly offlineSeconds: number;
}

export function mountDevices(serve: Serve, deps: DeviceRoutesDeps): void {
  serve(dashboardOperations.createDevice, async ({ session, body: { environment, name, sims } }) => {
    const input = { tenant: { merchantId: session.merchantId, environment }, name, sims };
    return view(await onBehalfOf(deps, session, addDevice, input));
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
    change(session, changeDevice, {
      deviceId: params.id,
      change: { ...(name !== undefined && { name }), ...(sims && { sims }) },
    }),
  );
  serve(dashboardOperations.disableDevice, ({ session, params }) =>
    change(session, disableDevice, { deviceId: params.id, isDisabled: true }),
  );
  serve(dashboardOperations.enableDevice, ({ session, params }) =>
    change(session, disableDevice, { deviceId: params.id, isDisabled: false }),
  );
  serve(dashboardOperations.allowUnsignedTexts, ({ session, params, body: { reason } }) =>
    change(session, allowUnsignedTexts, { deviceId: params.id, isAllowed: true, reason }),
  );
  serve(dashboardOperations.refuseUnsignedTexts, ({ session, params }) =>
    change(session, allowUnsignedTexts, { deviceId: params.id, isAllowed: false }),
  );

  serve(dashboardOperations.beginDevicePairing, async ({ session, params }) => {
    const hashed = await newHashedCode(session.userId);
    const input = { deviceId: params.id, userId: session.userId, apiUrl: deps.apiUrl, ...hashed };
    const { expiresAt, ...pairing } = await changeOwn(deps, session, 'device', params.id, beginPairing, input);
    return { ...pairing, expiresAt: expiresAt.toISOString() };
  });

  serve(dashboardOperations.createForwarderHook, async ({ session, params, body }) => {
    const input = { deviceId: params.id, adapter: body.adapter, signingSecret: body.signingSecret ?? undefined };
    const { hook, path, signingSecret } = await changeOwn(deps, session, 'device', params.id, (changeDeps, tx) =>
      createForwarderHook({ ...changeDeps, hookSecrets: deps.hookSecrets }, tx, input),
    );
    return { ...forwarderHookView(hook), path, signingSecret };
  });

  serve(dashboardOperations.listForwarderHooks, async ({ session, params }) => {
    const device = await findOwn(deps.db, 'device', params.id, session.merchantId);
    return { data: device.hooks.map(forwarderHookView) };
  });

  serve(dashboardOperations.deleteForwarderHook, ({ session, params }) =>
    changeOwn(deps, session, 'device', params.id, deleteForwarderHook, {
      deviceId: params.id,
      hookId: params.forwarderHookId,
    }),
  );

  async function views(devices: readonly DeviceRecord[]): Promise<DeviceResponse[]> {
    const lastSeen = await findLastSeen(deps.db, devices);
    const moment = { now: deps.now(), offlineSeconds: deps.offlineSeconds };
    return devices.map((device) => deviceView(device, { lastSeen: lastSeen.get(device.id), ...moment }));
  }

  async function view(device: DeviceRecord): Promise<DeviceResponse> {
    const [only] = await views([device]);
    return only as DeviceResponse;
  }

  async function change<Input extends { readonly deviceId: string }>(
    session: Session,
    useCase: UseCase<[Input], DeviceRecord>,
    input: Input,
  ): Promise<DeviceResponse> {
    return view(await changeOwn(deps, session, 'device', input.deviceId, useCase, input));
  }
}
