import type { Session } from '@pay/http';
import { auditPerson } from './audit-person';
import { endOtherSessions } from './session-repository';
import type { SignInDeps } from './sign-in-deps';

/** Returns the number of ended sessions. */
export function endSessionsElsewhere(deps: SignInDeps, { sessionId, userId, merchantId }: Session): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const others = { userId, keep: sessionId, at: deps.now(), because: 'ended_elsewhere' } as const;
    const endedSessions = await endOtherSessions(tx, others);
    const person = { id: userId, merchantId };
    if (endedSessions > 0)
      await auditPerson(deps, tx, { person, action: 'user.sessions_ended', after: { endedSessions } });
    return endedSessions;
  });
}
