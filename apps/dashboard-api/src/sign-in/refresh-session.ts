import { BusinessError } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { successorOf } from './refresh-tokens';
import { auditPerson } from './audit-person';
import { endSession, findRefreshToken, insertRefreshToken, lockSession, useRefreshToken } from './session-repository';
import { refreshOutcome } from '../domain/session';
import { signedIn, type SignedIn } from './open-session';
import type { SignInDeps } from './sign-in-deps';

/**
 * Replaces a refresh token by its successor. A later use of the old token ends the session, because it may be stolen.
 */
export async function refreshSession(deps: SignInDeps, token: string | undefined): Promise<SignedIn> {
  const known = token === undefined ? undefined : await findRefreshToken(deps.db, hashKey(token));
  // Throwing would roll back the end of the session.
  const outcome =
    token === undefined || known === undefined
      ? undefined
      : await deps.db.transaction((tx) => decide(deps, tx, known.sessionId, token));
  if (!outcome) throw new BusinessError('UNAUTHORIZED', 'The session has ended. Log in again.');
  return outcome;
}

async function decide(
  deps: SignInDeps,
  tx: Transaction,
  sessionId: string,
  token: string,
): Promise<SignedIn | undefined> {
  const at = deps.now();
  const session = await lockSession(tx, sessionId);
  // Read again under the lock, because another tab may have used the token.
  const { usedAt } = (await findRefreshToken(tx, hashKey(token))) ?? {};
  if (!session || usedAt === undefined) return undefined;
  const person = { id: session.userId, merchantId: session.merchantId };
  switch (refreshOutcome(session, usedAt, at)) {
    case 'ended':
      return undefined;
    case 'withdrawn':
      await endSession(tx, sessionId, at, 'access_withdrawn');
      return undefined;
    case 'rotate': {
      const next = successorOf(deps.secrets[0], token);
      await useRefreshToken(tx, hashKey(token), at);
      await insertRefreshToken(tx, hashKey(next), sessionId, at);
      return signedIn(deps, session, next);
    }
    case 'repeat': {
      const latest = await latestAfter(deps, tx, token);
      return latest === undefined ? undefined : signedIn(deps, session, latest);
    }
    case 'reuse':
      await endSession(tx, sessionId, at, 'reuse_detected');
      await auditPerson(deps, tx, { person, action: 'session.reuse_detected', actor: 'login', after: { sessionId } });
      tx.onCommit(() => deps.log.warn({ sessionId, userId: person.id }, 'session.reuse_detected'));
      return undefined;
  }
}

/** The last unused token of the chain. Several tabs may have refreshed it more than once. */
async function latestAfter(deps: SignInDeps, tx: Transaction, token: string): Promise<string | undefined> {
  for (let latest = token; ;) {
    const next = await stepAfter(deps, tx, latest);
    if (next === undefined || next.usedAt === null) return next?.token;
    latest = next.token;
  }
}

/** During a rotation of the secret, replicas derive different tokens. The stored row shows which one was used. */
async function stepAfter({ secrets }: SignInDeps, tx: Transaction, token: string) {
  for (const secret of secrets) {
    const candidate = successorOf(secret, token);
    const row = await findRefreshToken(tx, hashKey(candidate));
    if (row) return { token: candidate, usedAt: row.usedAt };
  }
  return undefined;
}
