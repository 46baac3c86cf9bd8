import { dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { createForwarderHook, type CreateForwarderHookDeps } from './create-forwarder-hook';
import { deleteForwarderHook } from './delete-forwarder-hook';
import { forwarderHookView } from '../domain/forwarder-hook';
import { lockOwn } from '../changes/lock-record';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { findOwn } from '../changes/own-records';

export interface ForwarderHookDeps extends ManageDeps, Pick<CreateForwarderHookDeps, 'hookSecrets'> {}

export function mountForwarderHooks(serve: Serve, deps: ForwarderHookDeps): void {
  serve(dashboardOperations.createForwarderHook, async ({ session, params, body }) => {
    const input = { deviceId: params.id, adapter: body.adapter, signingSecret: body.signingSecret ?? undefined };
    const { hook, path, signingSecret } = await onBehalfOf(deps, session, async (changeDeps, tx) => {
      await lockOwn(tx, 'device', params.id, session.merchantId);
      return createForwarderHook({ ...changeDeps, hookSecrets: deps.hookSecrets }, tx, input);
    });
    return { ...forwarderHookView(hook), path, signingSecret };
  });

  serve(dashboardOperations.listForwarderHooks, async ({ session, params }) => {
    const device = await findOwn(deps.db, 'device', params.id, session.merchantId);
    return { data: device.hooks.map(forwarderHookView) };
  });

  serve(dashboardOperations.deleteForwarderHook, async ({ session, params }) => {
    await onBehalfOf(deps, session, async (changeDeps, tx) => {
      await lockOwn(tx, 'device', params.id, session.merchantId);
      await deleteForwarderHook(changeDeps, tx, { deviceId: params.id, hookId: params.forwarderHookId });
    });
  });
}
