import type { Session } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { FreshCache } from '@pay/runtime';
import { findSession } from './session-repository';
import { isOpen } from '../domain/session';

/** A page sends several requests together; one read per second and session serves them all. */
const KNOWN_FOR_MS = 1_000;
const MOST_KNOWN = 10_000;

export interface CurrentSessionDeps {
  readonly db: Queryable;
  readonly now: () => Date;
}

/** The session of an access token as it is now; undefined if it has ended. */
export type CurrentSession = (issued: Session) => Promise<Session | undefined>;

/**
 * The current state of the session of an access token: the person's role now, or undefined after it has ended or access
 * was withdrawn. At most a second old, so that a logout takes effect before the token expires.
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
    // A request of a tab that shows one merchant must not be applied to another one to which the session was switched.
    return session.merchantId === merchantId ? { sessionId, userId, merchantId, role: session.role } : undefined;
  }

  return (issued) => known.get(`${issued.sessionId} ${issued.merchantId}`, () => look(issued));
}
