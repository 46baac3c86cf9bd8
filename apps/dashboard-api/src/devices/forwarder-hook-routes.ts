import { dashboardOperations } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import { createForwarderHook, type CreateForwarderHookDeps } from './create-forwarder-hook';
import { deleteForwarderHook } from './delete-forwarder-hook';
import { forwarderHookView } from '../domain/forwarder-hook';
import { lockOwn } from '../changes/lock-record';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { findOwn } from '../changes/own-records';

export interface ForwarderHookDeps extends ManageDeps, Pick<CreateForwarderHookDeps, 'hookSecrets'> {}

export function mountForwarderHooks(serve: Serve, deps: ForwarderHookDeps): void {
  serve(dashboardOperations.createForwarderHook, async ({ params, body, res }) => {
    const session = sessionOf(res);
    const input = { deviceId: params.id, adapter: body.adapter, signingSecret: body.signingSecret ?? undefined };
    const { hook, path, signingSecret } = await onBehalfOf(deps, session, async (changeDeps, tx) => {
      await lockOwn(tx, 'device', params.id, session.merchantId);
      return createForwarderHook({ ...changeDeps, hookSecrets: deps.hookSecrets }, tx, input);
    });
    return { status: 201, body: { ...forwarderHookView(hook), path, signingSecret } };
  });

  serve(dashboardOperations.listForwarderHooks, async ({ params, res }) => {
    const device = await findOwn(deps.db, 'device', params.id, sessionOf(res).merchantId);
    return { status: 200, body: { data: device.hooks.map(forwarderHookView) } };
  });

  serve(dashboardOperations.deleteForwarderHook, async ({ params, res }) => {
    const session = sessionOf(res);
    await onBehalfOf(deps, session, async (changeDeps, tx) => {
      await lockOwn(tx, 'device', params.id, session.merchantId);
      await deleteForwarderHook(changeDeps, tx, { deviceId: params.id, hookId: params.forwarderHookId });
    });
    return { status: 204 };
  });
}
