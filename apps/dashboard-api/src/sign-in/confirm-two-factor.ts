import { BusinessError } from '@pay/contracts';
import { type Session } from '@pay/http';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes';
import { totpStep } from './totp';
import { auditPerson } from './audit-person';
import { confirmSecondFactor, lockSecondFactor, spendStep } from './second-factor-repository';
import { endOtherSessions } from './session-repository';
import { users } from '../db/tables';
import type { SignInDeps } from './sign-in-deps';

/**
 * Ends every other session of the person, because they began without the second factor. The recovery codes are returned
 * only once, and stored as hashes.
 */
export async function confirmTwoFactor(
  deps: SignInDeps,
  { session, code }: { readonly session: Session; readonly code: string },
): Promise<{ recoveryCodes: string[]; endedSessions: number }> {
  const person = await users.find(deps.db, session.userId);
  if (!person) throw new BusinessError('UNAUTHORIZED');
  await deps.limits.countConfirmation(session.sessionId);
  const recoveryCodes = newRecoveryCodes();
  const endedSessions = await deps.db.transaction(async (tx) => {
    const factor = await lockSecondFactor(tx, person.id);
    if (!factor) throw new BusinessError('TWO_FACTOR_NOT_BEGUN');
    if (factor.confirmedAt) throw new BusinessError('TWO_FACTOR_ON');
    const at = deps.now();
    const step = totpStep(deps.secretBox.open(person.id, factor.sealedSecret), code, at);
    if (step === undefined || (await spendStep(tx, person.id, step)) === 0) throw new BusinessError('CODE_WRONG');
    await confirmSecondFactor(tx, person.id, recoveryCodes.map(hashRecoveryCode), at);
    const self = { id: person.id, merchantId: session.merchantId };
    await auditPerson(deps, tx, { person: self, action: 'user.two_factor_enabled' });
    const others = { userId: person.id, keep: session.sessionId, at, because: 'two_factor_enabled' } as const;
    return endOtherSessions(tx, others);
  });
  await deps.limits.forgiveConfirmations(session.sessionId);
  return { recoveryCodes, endedSessions };
}
