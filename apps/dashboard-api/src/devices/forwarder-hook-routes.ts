import { dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { createForwarderHook, type CreateForwarderHookDeps } from './create-forwarder-hook';
import { deleteForwarderHook } from './delete-forwarder-hook';
import { forwarderHookView } from '../domain/forwarder-hook';
import { changeOwn } from '../changes/change-own';
import type { ManageDeps } from '../changes/on-behalf-of';
import { findOwn } from '../changes/own-records';

export interface ForwarderHookDeps extends ManageDeps, Pick<CreateForwarderHookDeps, 'hookSecrets'> {}

export function mountForwarderHooks(serve: Serve, deps: ForwarderHookDeps): void {
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
}
