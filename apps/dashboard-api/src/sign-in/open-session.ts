import type { Account } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { issueAccessToken } from './access-tokens';
import { newRefreshToken } from './refresh-tokens';
import {
  findSession,
  insertRefreshToken,
  insertSession,
  type SessionOrigin,
  type SessionRow,
} from './session-repository';
import { sessionExpiry } from '../domain/session';
import type { SignInDeps } from './sign-in-deps';

/** The body of the response, and the token for the cookie. */
export interface SignedIn {
  readonly body: { readonly accessToken: string; readonly expiresIn: number; readonly user: Account };
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

/** Call it in the transaction of the authentication. */
export async function openSession(
  deps: SignInDeps,
  tx: Transaction,
  { userId, merchantId, ...origin }: { readonly userId: string; readonly merchantId?: string } & SessionOrigin,
): Promise<SignedIn> {
  const at = deps.now();
  const id = deps.newId();
  const refreshToken = newRefreshToken();
  await insertSession(tx, { id, userId, createdAt: at, expiresAt: sessionExpiry(at), merchantId, ...origin });
  await insertRefreshToken(tx, hashKey(refreshToken), id, at);
  const session = await findSession(tx, id);
  if (!session) throw new Error('invariant: an inserted session exists');
  return signedIn(deps, session, refreshToken);
}

export function signedIn(deps: SignInDeps, session: SessionRow, refreshToken: string): SignedIn {
  return { body: accessOf(deps, session), refreshToken, expiresAt: session.expiresAt };
}

export function accessOf({ secrets }: SignInDeps, session: SessionRow): SignedIn['body'] {
  const { id, userId, merchantId, role } = session;
  const access = issueAccessToken(secrets, { sessionId: id, userId, merchantId, role });
  return { ...access, user: accountOf(session) };
}

export function accountOf({ userId, email, name, role, merchantId, merchantName, ...rest }: SessionRow): Account {
  const merchant = { id: merchantId, name: merchantName };
  return { id: userId, email, name, role, merchant, twoFactorEnabled: rest.twoFactorEnabled };
}
