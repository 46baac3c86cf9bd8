import { BusinessError } from '@pay/contracts';
import { ValidationError, type Session } from '@pay/http';
import { auditPerson } from './audit-person';
import { deleteSecondFactor, lockSecondFactor } from './second-factor-repository';
import type { SignInDeps } from './sign-in-deps';
import { spendCode } from './spend-code';
import { verifyOwnPassword } from './verify-own-password';

export interface DisableTwoFactorInput {
  readonly session: Session;
  readonly password: string;
  /** A code of the app or a recovery code. Required while the second factor is on. */
  readonly code?: string | null | undefined;
}

/** The password alone is not sufficient, because the second factor protects against a stolen password. */
export async function disableTwoFactor(
  deps: SignInDeps,
  { session, password, code }: DisableTwoFactorInput,
): Promise<void> {
  const person = await verifyOwnPassword(deps, session, password);
  // Counted before the transaction, which would hold a connection and a lock.
  if (code !== undefined && code !== null) await deps.limits.countCode(person.id);
  const by = await deps.db.transaction(async (tx) => {
    const factor = await lockSecondFactor(tx, person.id);
    if (!factor) return null;
    const by = factor.confirmedAt === null ? null : await spend(tx, factor);
    await deleteSecondFactor(tx, person.id);
    const self = { id: person.id, merchantId: session.merchantId };
    await auditPerson(deps, tx, { person: self, action: 'user.two_factor_disabled', ...(by && { after: { by } }) });
    return by;
  });
  if (by !== null) await deps.limits.forgiveCodes(person.id);
  await deps.limits.forgiveConfirmations(session.sessionId);

  async function spend(tx: Parameters<typeof spendCode>[1], factor: Parameters<typeof spendCode>[2]['factor']) {
    if (code === undefined || code === null)
      throw new ValidationError(['code is required while two-factor authentication is enabled']);
    const by = await spendCode(deps, tx, { userId: person.id, factor, code });
    if (by === undefined) throw new BusinessError('CODE_WRONG');
    return by;
  }
}
