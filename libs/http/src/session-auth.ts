import { ROLES, type Role, BusinessError } from '@pay/contracts';
import type { RequestHandler, Response } from 'express';
import { bearerToken } from './bearer';
import { noteRoute } from './exchange';
import { unauthorized } from './unauthorized';

export interface Session {
  readonly userId: string;
  readonly sessionId: string;
  readonly merchantId: string;
  readonly role: Role;
}

/** Undefined if the token is invalid or its session has ended. */
export type SessionCheck = (token: string) => Promise<Session | undefined>;

/** The response is 401 without a valid access token and 403 without one of the roles. */
export function sessionAuth(findSession: SessionCheck, roles: readonly Role[] = ROLES): RequestHandler {
  return async (request, response, next) => {
    const exchange = noteRoute(request, response);
    const token = bearerToken(request);
    const session = token === undefined ? undefined : await findSession(token);
    if (!session) throw unauthorized('session');
    exchange.merchantId = session.merchantId;
    if (!roles.includes(session.role))
      throw new BusinessError('FORBIDDEN', `This operation requires the role ${roles.join(' or ')}.`);
    response.locals['session'] = session;
    next();
  };
}

export function sessionOf(response: Response): Session {
  const session = response.locals['session'] as Session | undefined;
  if (!session) throw new TypeError('this route is not behind sessionAuth');
  return session;
}
