import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { hashPassword, isOutdated } from './adapters/passwords';
import { auditPerson } from './audit-person';
import { lockSecondFactor } from './db/second-factors';
import { merchants, users } from './db/tables';
import { changed, type UserRecord } from './domain/records';
import { openSession, type SignedIn } from './open-session';
import type { SignInDeps } from './sign-in-deps';
import { spendCode } from './spend-code';
import { storeChange } from './store-change';

export interface LogInInput {
  readonly email: string;
  readonly password: string;
  readonly code?: string | null | undefined;
  /** Who is counted as one client. */
  readonly address: string;
}

type Outcome = { readonly refused: 'password' | 'code' | 'deactivated' | 'unknown' | 'code_missing' } | SignedIn;

/** A refusal that writes to the audit log and one that has nobody to write about take equally long. */
const REFUSAL_MS = 250;

/**
 * Everything wrong is one and the same 401, after the same work: who exists, who is switched off and which half of the answer was wrong
 * stays unsaid. Only a right password learns that a code is missing.
 */
export async function logIn(deps: SignInDeps, input: LogInInput): Promise<SignedIn> {
  const startedAt = performance.now();
  const { email, password, address } = input;
  await deps.limits.countAddress(address);
  await deps.limits.countAccount(email);
  const user = await users.find(deps.db, 'email = $1', [email.toLowerCase()]);
  const isRight = await deps.isPassword(user?.passwordHash, password);
  // Hashed before the transaction: it would hold a connection and a lock meanwhile.
  const rehashed = user && isRight && isOutdated(user.passwordHash) ? await hashPassword(password) : undefined;
  const outcome: Outcome = user
    ? await deps.db.transaction((tx) => decide(deps, tx, { ...input, user, isRight, rehashed }))
    : { refused: 'unknown' };
  if (!('refused' in outcome)) {
    await deps.limits.forgiveAccount(email);
    return outcome;
  }
  if (outcome.refused === 'code_missing') throw new ApiError('TOTP_REQUIRED');
  await delay(Math.max(0, REFUSAL_MS - (performance.now() - startedAt)));
  throw new ApiError('UNAUTHORIZED', 'The e-mail address, the password or the code is wrong.');
}

interface Attempt extends LogInInput {
  readonly user: UserRecord;
  readonly isRight: boolean;
  readonly rehashed: string | undefined;
}

async function decide(deps: SignInDeps, tx: Transaction, attempt: Attempt): Promise<Outcome> {
  const { code, address } = attempt;
  const person = await users.lock(tx, attempt.user.id);
  const merchant = await merchants.find(tx, 'id = $1', [attempt.user.merchantId]);
  if (!person || !merchant) throw new Error('a user or a merchant is gone, although rows are never removed');
  const refuse = async (refused: 'password' | 'code' | 'deactivated'): Promise<Outcome> => {
    const after = { because: refused, address };
    await auditPerson(deps, tx, { person, action: 'user.login_failed', actor: 'login', after });
    return { refused };
  };
  // The lock shows whether the password was changed while this one was verified.
  if (!attempt.isRight || person.passwordHash !== attempt.user.passwordHash) return refuse('password');
  if (!isThere(person) || !isThere(merchant)) return refuse('deactivated');
  const factor = await lockSecondFactor(tx, person.id);
  let by: 'password' | 'totp' | 'recovery_code' = 'password';
  if (factor?.confirmedAt) {
    if (code === undefined || code === null) return { refused: 'code_missing' };
    const spent = await spendCode(deps, tx, { userId: person.id, factor, code });
    if (spent === undefined) return refuse('code');
    by = spent;
  }
  if (attempt.rehashed !== undefined) await rehash(deps, tx, person, attempt.rehashed);
  const signedIn = await openSession(deps, tx, person.id);
  await auditPerson(deps, tx, { person, action: 'user.logged_in', after: { by, address } });
  return signedIn;
}

function isThere({ isActive, deletedAt }: { isActive: boolean; deletedAt: Date | null }): boolean {
  return isActive && deletedAt === null;
}

async function rehash(deps: SignInDeps, tx: Transaction, before: UserRecord, passwordHash: string): Promise<void> {
  const after = changed(before, { passwordHash }, deps.now());
  const actor = `user:${before.id}`;
  await storeChange({ ...deps, actor }, tx, { kind: 'user', action: 'user.password_rehashed', before, after });
}
