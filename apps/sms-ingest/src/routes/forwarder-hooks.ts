import {
  receiveForwardedSms,
  receiveForwardedSmsByGet,
  receiveForwardedSmsByPatch,
  receiveForwardedSmsByPut,
} from '@pay/contracts';
import type { DeviceHook, Directory } from '@pay/directory';
import { ApiError, operationServer, rawBody } from '@pay/http';
import type { Express, Request, RequestHandler } from 'express';
import type { ForwarderRequest } from '../forwarders/adapter';
import { receiveForwarded, type ReceiveForwardedDeps } from '../intake/receive-forwarded';

export interface ForwarderHooksDeps extends ReceiveForwardedDeps {
  /** What slows down a phone that sends more than its part, before its body is read. */
  readonly hookGuards: readonly RequestHandler[];
  readonly directory: Pick<Directory, 'findHook' | 'merchant' | 'receiverAccounts'>;
}

/** A list of a phone's whole inbox fits. */
const BODY_LIMIT = '1mb';

/** `/v1/sms-events/hooks/:adapter/:hookId`: what forwarder apps of others send. The address is the credential. */
export function mountForwarderHooks(app: Express, deps: ForwarderHooksDeps): void {
  const guards = [hookAuth(deps.directory), ...deps.hookGuards, rawBody(BODY_LIMIT)];
  const serve = operationServer(app, { guard: () => guards });
  const operations = [
    receiveForwardedSms,
    receiveForwardedSmsByGet,
    receiveForwardedSmsByPut,
    receiveForwardedSmsByPatch,
  ];
  for (const operation of operations) {
    serve(operation, async ({ req, res }) => ({
      status: 200,
      body: await receiveForwarded(deps, res.locals['deviceHook'] as DeviceHook, requestOf(req)),
    }));
  }
}

/** Lets in who knows the address of a hook that may be used. Unknown, deleted and disabled are the same 404, before any body is read. */
function hookAuth(directory: Pick<Directory, 'findHook'>): RequestHandler {
  return async (request, response, next) => {
    const { adapter, hookId } = request.params;
    const found = typeof hookId === 'string' ? await directory.findHook(hookId) : undefined;
    if (found === undefined || found.hook.adapter !== adapter) throw new ApiError('NOT_FOUND');
    response.locals['deviceHook'] = found;
    response.locals['device'] = found.device;
    next();
  };
}

function requestOf({ method, headers, originalUrl, rawBody: body }: Request): ForwarderRequest {
  const [path = '', ...query] = originalUrl.split('?');
  return { method, headers, path, query: query.join('?'), rawBody: body ?? Buffer.alloc(0) };
}
