import { ApiError, type Session } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findSession } from './db/sessions';
import { accountOf } from './open-session';

/** The person of a session, and the session itself. */
export async function getOwnSession({ db }: { readonly db: Queryable }, { sessionId }: Session) {
  const session = await findSession(db, sessionId);
  if (!session) throw new ApiError('UNAUTHORIZED');
  const { id, createdAt, expiresAt, recoveryCodesLeft } = session;
  return {
    user: accountOf(session),
    recoveryCodesLeft,
    session: { id, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
  };
}
