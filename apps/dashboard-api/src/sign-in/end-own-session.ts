import { BusinessError } from '@pay/contracts';
import type { Session } from '@pay/http';
import { auditPerson } from './audit-person';
import { endSession, lockSession } from './session-repository';
import type { SignInDeps } from './sign-in-deps';

/** Ends a session of the person at any merchant. Returns the number of ended sessions. */
export function endOwnSession(
  deps: SignInDeps,
  { session, id }: { readonly session: Session; readonly id: string },
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const found = await lockSession(tx, id);
    if (found?.userId !== session.userId) throw new BusinessError('NOT_FOUND');
    if (!(await endSession(tx, id, deps.now(), 'ended_elsewhere'))) return 0;
    const person = { id: session.userId, merchantId: session.merchantId };
    await auditPerson(deps, tx, { person, action: 'user.session_ended', after: { sessionId: id } });
    return 1;
  });
}
