import { type ApiKeyFact, type ApiKeyScope, type Environment, BusinessError } from '@pay/contracts';
import type { RequestHandler, Response } from 'express';

import { noteRoute } from './exchange';
import { unauthorized } from './unauthorized';

/** The caller by API key: the only source of merchant and environment on the merchant API. */
export interface Caller {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly keyId: string;
  readonly scopes: readonly ApiKeyScope[];
}

/** sk_test_9fK2...: values in another format are refused without a look-up. */
const API_KEY = /^sk_(?:test|live)_[A-Za-z0-9]{8,120}$/;

/** `find` returns active keys only. The response is 401 without a key and 403 without the scope. */
export function apiKeyAuth(find: (key: string) => Promise<ApiKeyFact | undefined>, scope: ApiKeyScope): RequestHandler {
  return async (request, response, next) => {
    const exchange = noteRoute(request, response);
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || !API_KEY.test(key)) throw unauthorized('apiKey');
    const fact = await find(key);
    if (!fact || fact.deleted || fact.isLocked || fact.revokedAt !== null) throw unauthorized('apiKey');
    exchange.merchantId = fact.merchantId;
    if (!fact.scopes.includes(scope))
      throw new BusinessError('FORBIDDEN', `The API key does not have the scope ${scope}.`);
    const caller: Caller = {
      merchantId: fact.merchantId,
      environment: fact.environment,
      keyId: fact.id,
      scopes: fact.scopes,
    };
    response.locals['caller'] = caller;
    next();
  };
}

export function callerOf(response: Response): Caller {
  const caller = response.locals['caller'] as Caller | undefined;
  if (!caller) throw new TypeError('this route is not behind apiKeyAuth');
  return caller;
}
