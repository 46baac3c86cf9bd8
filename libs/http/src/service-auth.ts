import { environmentSchema, SERVICES, type ServiceName, type Tenant, BusinessError } from '@pay/contracts';
import type { Request, RequestHandler } from 'express';
import { decode } from 'jsonwebtoken';
import { z } from 'zod';
import { bearerToken } from './bearer';
import { ValidationError } from './errors';
import { noteRoute } from './exchange';
import { verifyToken, type TokenSecret } from './signed-token';

/** Maximum lifetime of a service token, from `iat` to `exp`. */
export const TOKEN_SECONDS = 60;
const CLOCK_TOLERANCE_SECONDS = 5;
const MOST_REMEMBERED = 200;

export type PeerSecret = TokenSecret;

const claims = z.object({ iss: z.enum(SERVICES), iat: z.number(), exp: z.number() });

/**
 * Accepts an HS256 token of an allowed service with `aud` = this service and a lifetime of at most 60 s. All invalid
 * tokens get the same 401; a known service that is not allowed gets 403.
 */
export function serviceAuth(options: {
  audience: ServiceName;
  secrets: Partial<Record<ServiceName, PeerSecret>>;
  allow: readonly ServiceName[];
}): RequestHandler {
  // Callers reuse a token for half its lifetime, so verified tokens are cached.
  const checked = new Map<string, { caller: ServiceName; expiresAt: number }>();

  function check(token: string): { caller: ServiceName; expiresAt: number } | undefined {
    const claimed = claims.safeParse(decode(token));
    if (!claimed.success) return undefined;
    const { iss, iat, exp } = claimed.data;
    const secret = options.secrets[iss];
    if (!secret || exp - iat > TOKEN_SECONDS) return undefined;
    const names = { issuer: iss, audience: options.audience };
    if (!verifyToken(token, secret, names, CLOCK_TOLERANCE_SECONDS)) return undefined;
    if (checked.size >= MOST_REMEMBERED) checked.clear();
    const known = { caller: iss, expiresAt: (exp + CLOCK_TOLERANCE_SECONDS) * 1_000 };
    checked.set(token, known);
    return known;
  }

  return (request, response, next) => {
    noteRoute(request, response);
    const token = bearerToken(request);
    if (token === undefined) throw new BusinessError('UNAUTHORIZED');
    const remembered = checked.get(token);
    const known = remembered && remembered.expiresAt > Date.now() ? remembered : check(token);
    if (!known) throw new BusinessError('UNAUTHORIZED');
    if (!options.allow.includes(known.caller)) throw new BusinessError('FORBIDDEN');
    next();
  };
}

const tenantHeaders = z.object({ merchantId: z.uuid(), environment: environmentSchema });

/** The tenant of an internal request. The headers can only be trusted after serviceAuth. */
export function tenantOf(request: Request): Tenant {
  const result = tenantHeaders.safeParse({
    merchantId: request.headers['x-merchant-id'],
    environment: request.headers['x-environment'],
  });
  if (!result.success)
    throw new ValidationError(['X-Merchant-Id must be a merchant id, and X-Environment must be SANDBOX or LIVE']);
  return result.data;
}

/** LIVE gets 403. */
export function sandboxTenantOf(request: Request): Tenant {
  const tenant = tenantOf(request);
  if (tenant.environment !== 'SANDBOX')
    throw new BusinessError('FORBIDDEN', 'This operation is available in SANDBOX only.');
  return tenant;
}
