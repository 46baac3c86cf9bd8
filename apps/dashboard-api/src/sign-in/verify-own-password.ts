import { BusinessError } from '@pay/contracts';
import { type Session } from '@pay/http';
import { users } from '../db/tables';
import type { UserRecord } from '../domain/records';
import type { SignInDeps } from './sign-in-deps';

/**
 * Asks somebody who is logged in for their password once more. Counted, because a stolen session must not be a place to
 * guess; the caller forgives it when everything else that was asked for is right too.
 */
export async function verifyOwnPassword(
  deps: SignInDeps,
  { userId, sessionId }: Session,
  password: string,
): Promise<UserRecord> {
  const user = await users.find(deps.db, userId);
  if (!user) throw new BusinessError('UNAUTHORIZED');
  await deps.limits.countConfirmation(sessionId);
  if (!(await deps.isPassword(user.passwordHash, password))) throw new BusinessError('PASSWORD_WRONG');
  return user;
}
