import { hashKey } from '@pay/http';
import { auditPerson } from './audit-person';
import { endSession, findRefreshToken, lockSession } from './session-repository';
import type { SignInDeps } from './sign-in-deps';

/** Accepts a used refresh token too, so that logging out works in every tab. Returns the number of ended sessions. */
export async function logOut(deps: SignInDeps, token: string | undefined): Promise<number> {
  const known = token === undefined ? undefined : await findRefreshToken(deps.db, hashKey(token));
  if (!known) return 0;
  return deps.db.transaction(async (tx) => {
    const session = await lockSession(tx, known.sessionId);
    if (!session || !(await endSession(tx, session.id, deps.now(), 'logout'))) return 0;
    const person = { id: session.userId, merchantId: session.merchantId };
    await auditPerson(deps, tx, { person, action: 'user.logged_out', after: { sessionId: session.id } });
    return 1;
  });
}
