import { BusinessError, type RefusalDetail } from '@pay/contracts';
import { hashKey, type Session } from '@pay/http';
import { auditPerson } from './audit-person';
import { hashPassword } from './passwords';
import { forgetBrowsers } from './known-browser-repository';
import { endOtherSessions } from './session-repository';
import { users } from '../db/tables';
import { passwordProblem } from '../domain/password-rules';
import { changed } from '../domain/records';
import type { SignInDeps } from './sign-in-deps';
import { verifyOwnPassword } from './verify-own-password';

export interface ChangePasswordInput {
  readonly session: Session;
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Token of the requesting browser, which remains known. */
  readonly browserToken?: string | undefined;
}

/**
 * Ends all other sessions and forgets all other browsers, so that a person with the old password loses access. Returns
 * the number of ended sessions.
 */
export async function changePassword(deps: SignInDeps, input: ChangePasswordInput): Promise<number> {
  const { session, currentPassword, newPassword } = input;
  const known = await verifyOwnPassword(deps, session, currentPassword);
  await deps.limits.forgiveConfirmations(session.sessionId);
  const problem =
    newPassword === currentPassword
      ? 'must differ from the current password'
      : passwordProblem(newPassword, known.email);
  if (problem !== undefined)
    throw new BusinessError('PASSWORD_NOT_ALLOWED', `newPassword ${problem}` satisfies RefusalDetail);
  const passwordHash = await hashPassword(newPassword, session.userId);
  return deps.db.transaction(async (tx) => {
    const before = await users.lock(tx, known.id);
    // The hash differs if the password was changed during the verification.
    if (before?.passwordHash !== known.passwordHash) throw new BusinessError('PASSWORD_WRONG');
    const at = deps.now();
    await users.replace(tx, changed(before, { passwordHash }, at));
    // Not the user record, which contains the first merchant of the person and the role there.
    const person = { id: known.id, merchantId: session.merchantId };
    await auditPerson(deps, tx, { person, action: 'user.password_changed' });
    await forgetBrowsers(tx, known.id, input.browserToken === undefined ? null : hashKey(input.browserToken));
    return endOtherSessions(tx, { userId: known.id, keep: session.sessionId, at, because: 'password_changed' });
  });
}
