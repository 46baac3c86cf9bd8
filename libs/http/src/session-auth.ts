import { ROLES, type Role, BusinessError } from '@pay/contracts';
import type { RequestHandler, Response } from 'express';
import { sign, verify } from 'jsonwebtoken';
import { z } from 'zod';
import { bearerToken } from './bearer';

import { noteRoute } from './exchange';
import { unauthorized } from './unauthorized';

const ISSUER = 'dashboard-api';
const AUDIENCE = 'dashboard';
const ACCESS_SECONDS = 15 * 60;

const sessionSchema = z
  .object({ sub: z.uuid(), merchantId: z.uuid(), role: z.enum(ROLES), sid: z.string() })
  .transform(({ sub, sid, ...rest }) => ({ userId: sub, sessionId: sid, ...rest }));

/** A person at the dashboard. */
export type Session = z.output<typeof sessionSchema>;

/** One secret, or several during a rotation: the first signs, all verify. */
export type SessionSecret = string | readonly string[];

/** Signs the access token that sessionAuth accepts; it lives 15 minutes. */
export function issueSession(
  { secret }: { secret: SessionSecret },
  session: Session,
): { accessToken: string; expiresIn: number } {
  const { userId, sessionId, merchantId, role } = session;
  const [newest] = secretsOf(secret);
  if (!newest) throw new TypeError('at least one session secret is required');
  const accessToken = sign({ merchantId, role, sid: sessionId }, newest, {
    algorithm: 'HS256',
    subject: userId,
    issuer: ISSUER,
    audience: AUDIENCE,
    expiresIn: ACCESS_SECONDS,
  });
  return { accessToken, expiresIn: ACCESS_SECONDS };
}

export interface SessionCheck {
  readonly secret: SessionSecret;
  /**
   * What a token's session is by now: another role after a change, nothing once it has ended. Believed as signed when
   * absent.
   */
  readonly current?: (session: Session) => Promise<Session | undefined>;
}

/** Lets in a person with a valid access token and one of the roles: 401 without the one, 403 without the other. */
export function sessionAuth({ secret, current }: SessionCheck, roles: readonly Role[] = ROLES): RequestHandler {
  return async (request, response, next) => {
    const exchange = noteRoute(request, response);
    const signed = readSession(bearerToken(request), secretsOf(secret));
    const session = signed && current ? await current(signed) : signed;
    if (!session) throw unauthorized('session');
    exchange.merchantId = session.merchantId;
    if (!roles.includes(session.role))
      throw new BusinessError('FORBIDDEN', `This operation requires the role ${roles.join(' or ')}.`);
    response.locals['session'] = session;
    next();
  };
}

function readSession(token: string | undefined, secrets: readonly string[]): Session | undefined {
  if (token === undefined) return undefined;
  for (const secret of secrets) {
    try {
      const payload = verify(token, secret, { algorithms: ['HS256'], issuer: ISSUER, audience: AUDIENCE });
      return sessionSchema.safeParse(payload).data;
    } catch {
      // Signed with another secret of the list, perhaps.
    }
  }
  return undefined;
}

function secretsOf(secret: SessionSecret): readonly string[] {
  return typeof secret === 'string' ? [secret] : secret;
}

/** The session that sessionAuth let in. */
export function sessionOf(response: Response): Session {
  const session = response.locals['session'] as Session | undefined;
  if (!session) throw new TypeError('this route is not behind sessionAuth');
  return session;
}
