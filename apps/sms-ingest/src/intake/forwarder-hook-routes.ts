import {
  receiveForwardedSms,
  receiveForwardedSmsByGet,
  receiveForwardedSmsByPatch,
  receiveForwardedSmsByPut,
  BusinessError,
  forwarderSchema,
} from '@pay/contracts';
import type { DeviceHook, Directory } from '@pay/directory';
import { addChallenge, ApiError, operationServer, rawBody } from '@pay/http';
import type { Express, Request, RequestHandler } from 'express';
import { ADAPTERS } from '../forwarders';
import type { ForwarderRequest } from '../forwarders/adapter';
import { receiveForwarded, type ReceiveForwardedDeps } from './receive-forwarded';

export interface ForwarderHooksDeps extends ReceiveForwardedDeps {
  /** Limits a phone that sends more than its share, before its body is read. */
  readonly hookGuards: readonly RequestHandler[];
  readonly directory: Pick<Directory, 'findHook' | 'merchant' | 'receiverAccounts'>;
}

/** A list of a phone's whole inbox fits. */
const BODY_LIMIT = '1mb';

/** `/v1/sms-events/hooks/:adapter/:hookId`: requests of third-party forwarder apps. The URL is the credential. */
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
    serve(operation, async ({ req, res }) => {
      const hook = res.locals['deviceHook'] as DeviceHook;
      refuseOtherMethods(hook, req.method);
      const body = await receiveForwarded(deps, hook, requestOf(req)).catch(challenge);
      return body;
    });
  }
}

/**
 * Authenticates a request by its hook URL. Unknown, deleted and disabled hooks get the same 404, before the body is
 * read.
 */
function hookAuth(directory: Pick<Directory, 'findHook'>): RequestHandler {
  return async (request, response, next) => {
    const { adapter, hookId } = request.params;
    const found = typeof hookId === 'string' ? await directory.findHook(hookId) : undefined;
    if (found === undefined || found.hook.adapter !== adapter) throw new BusinessError('NOT_FOUND');
    response.locals['deviceHook'] = found;
    response.locals['device'] = found.device;
    next();
  };
}

/** Which header or field holds the signature depends on the app. */
const challenge = addChallenge('UNAUTHORIZED', 'Signature realm="payment-gateway"');

/** Each app sends by its own methods only. */
function refuseOtherMethods({ hook }: DeviceHook, method: string): void {
  const methods: readonly string[] = ADAPTERS[forwarderSchema.parse(hook.adapter)].methods;
  if (!methods.includes(method)) throw new ApiError('METHOD_NOT_ALLOWED', undefined, { Allow: methods.join(', ') });
}

function requestOf({ method, headers, originalUrl, rawBody: body }: Request): ForwarderRequest {
  const [path = '', ...query] = originalUrl.split('?');
  return { method, headers, path, query: query.join('?'), rawBody: body ?? Buffer.alloc(0) };
}
