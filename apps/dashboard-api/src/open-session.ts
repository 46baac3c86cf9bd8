import type { Account } from '@pay/contracts';
import { hashKey, issueSession } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { newRefreshToken } from './adapters/refresh-tokens';
import { findSession, insertRefreshToken, insertSession, type SessionRow } from './db/sessions';
import { sessionExpiry } from './domain/session';
import type { SignInDeps } from './sign-in-deps';

/** What a log-in and a refresh give: the answer, and the token for the cookie. */
export interface SignedIn {
  readonly body: { readonly accessToken: string; readonly expiresIn: number; readonly user: Account };
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

/** Begins the session of somebody who has shown who they are, in the transaction in which that was decided. */
export async function openSession(deps: SignInDeps, tx: Transaction, userId: string): Promise<SignedIn> {
  const at = deps.now();
  const id = deps.newId();
  const refreshToken = newRefreshToken();
  await insertSession(tx, { id, userId, createdAt: at, expiresAt: sessionExpiry(at) });
  await insertRefreshToken(tx, hashKey(refreshToken), id, at);
  const session = await findSession(tx, id);
  if (!session) throw new Error('a session is gone in the transaction that began it');
  return signedIn(deps, session, refreshToken);
}

export function signedIn({ secrets }: SignInDeps, session: SessionRow, refreshToken: string): SignedIn {
  const { id, userId, merchantId, role, expiresAt } = session;
  const access = issueSession({ secret: secrets }, { sessionId: id, userId, merchantId, role });
  return { body: { ...access, user: accountOf(session) }, refreshToken, expiresAt };
}

export function accountOf({ userId, email, name, role, merchantId, merchantName, ...rest }: SessionRow): Account {
  const merchant = { id: merchantId, name: merchantName };
  return { id: userId, email, name, role, merchant, twoFactorEnabled: rest.twoFactorEnabled };
}
