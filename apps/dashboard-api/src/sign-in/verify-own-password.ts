import { BusinessError } from '@pay/contracts';
import { type Session } from '@pay/http';
import { users } from '../db/tables';
import type { UserRecord } from '../domain/records';
import type { SignInDeps } from './sign-in-deps';

/**
 * Attempts are counted, because a stolen session must not allow guessing. The caller forgives the attempt if all other
 * input is valid.
 */
export async function verifyOwnPassword(
  deps: SignInDeps,
  { userId, sessionId }: Session,
  password: string,
): Promise<UserRecord> {
  const user = await users.find(deps.db, userId);
  if (!user) throw new BusinessError('UNAUTHORIZED');
  await deps.limits.countConfirmation(sessionId);
  if (!(await deps.isPassword(user.passwordHash, password, userId))) throw new BusinessError('PASSWORD_WRONG');
  return user;
}
