import type { Session } from '@pay/http';
import { auditPerson } from './audit-person';
import { deleteSecondFactor } from './db/second-factors';
import type { SignInDeps } from './sign-in-deps';
import { verifyOwnPassword } from './verify-own-password';

/** Forgets the secret and the recovery codes. */
export async function disableTwoFactor(
  deps: SignInDeps,
  { session, password }: { readonly session: Session; readonly password: string },
): Promise<void> {
  const person = await verifyOwnPassword(deps, session, password);
  await deps.db.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, person.id))) return;
    await auditPerson(deps, tx, { person, action: 'user.two_factor_disabled' });
  });
}
