import { ROLES } from '@pay/contracts';
import { signToken, verifyToken, type Session, type TokenSecret } from '@pay/http';
import { z } from 'zod';

const NAMES = { issuer: 'dashboard-api', audience: 'dashboard' };
const ACCESS_SECONDS = 15 * 60;

const claimsSchema = z
  .object({ sub: z.uuid(), merchantId: z.uuid(), role: z.enum(ROLES), sid: z.string() })
  .transform(({ sub, sid, ...rest }) => ({ userId: sub, sessionId: sid, ...rest }));

/** Valid for 15 minutes. */
export function issueAccessToken(
  secret: TokenSecret,
  { userId, sessionId, merchantId, role }: Session,
): { readonly accessToken: string; readonly expiresIn: number } {
  const claims = { merchantId, role, sid: sessionId, sub: userId };
  return { accessToken: signToken(secret, NAMES, { seconds: ACCESS_SECONDS, claims }), expiresIn: ACCESS_SECONDS };
}

/** Undefined if the token is invalid. */
export function readAccessToken(secret: TokenSecret, token: string): Session | undefined {
  return claimsSchema.safeParse(verifyToken(token, secret, NAMES)).data;
}
