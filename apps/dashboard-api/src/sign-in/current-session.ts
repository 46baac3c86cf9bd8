import type { Session } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { FreshCache } from '@pay/runtime';
import { findSession } from './session-repository';
import { isOpen } from '../domain/session';

/** A page sends several requests together, so a session is read at most once a second. */
const KNOWN_FOR_MS = 1_000;
const MOST_KNOWN = 10_000;

export interface CurrentSessionDeps {
  readonly db: Queryable;
  readonly now: () => Date;
}

export type CurrentSession = (issued: Session) => Promise<Session | undefined>;

/**
 * Returns the current role, or undefined if the session has ended or access was withdrawn. At most a second old, so
 * that a logout takes effect before the token expires.
 */
export function currentSession({ db, now }: CurrentSessionDeps): CurrentSession {
  const known = new FreshCache<Session>({
    maxAgeMs: KNOWN_FOR_MS,
    maxEntries: MOST_KNOWN,
    clock: () => now().getTime(),
  });

  async function look({ sessionId, userId, merchantId }: Session): Promise<Session | undefined> {
    const session = await findSession(db, sessionId);
    if (session?.userId !== userId || !isOpen(session, now())) return undefined;
    // If the session was switched, a request of a tab that shows the previous merchant must not apply to the new one.
    return session.merchantId === merchantId ? { sessionId, userId, merchantId, role: session.role } : undefined;
  }

  return (issued) => known.get(`${issued.sessionId} ${issued.merchantId}`, () => look(issued));
}
