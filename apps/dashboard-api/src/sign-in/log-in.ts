import { BusinessError, DAY_MS } from '@pay/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { hashPassword, isOutdated } from './passwords';
import { newRefreshToken } from './refresh-tokens';
import { auditPerson } from './audit-person';
import { findUserOfBrowser, KNOWN_BROWSER_DAYS, rememberBrowser } from './known-browser-repository';
import { openMemberships, type OpenMembership } from './open-membership-repository';
import { insertNoticeUnlessRecent } from './notice-repository';
import { lockSecondFactor } from './second-factor-repository';
import { users } from '../db/tables';
import { loginLimitedMail } from '../domain/mail-texts';
import { changed, type UserRecord } from '../domain/records';
import { openSession, type SignedIn } from './open-session';
import type { SignInDeps } from './sign-in-deps';
import { spendCode } from './spend-code';

/** Where a log-in comes from. */
export interface LogInOrigin {
  /** Client address for rate limits. */
  readonly address: string;
  readonly userAgent?: string | undefined;
  /** From the cookie of an earlier log-in. */
  readonly browserToken?: string | undefined;
}

export interface LogInInput extends LogInOrigin {
  readonly email: string;
  readonly password: string;
  readonly code?: string | null | undefined;
  /** Default: the first merchant that gives the person access. */
  readonly merchantId?: string | null | undefined;
}

/** A merchant that the person joins by the log-in; the session is opened there. */
export interface Joining {
  readonly merchantId: string;
  join(userId: string): Promise<void>;
}

/** Called in the transaction of the log-in before the user is locked. */
export type LockJoining = (tx: Transaction) => Promise<Joining>;

export interface LoggedIn extends SignedIn {
  readonly browser: { readonly token: string; readonly expiresAt: Date };
}

type Outcome = { readonly refused: 'password' | 'code' | 'deactivated' | 'unknown' | 'code_missing' } | LoggedIn;

/**
 * Failures are returned at multiples of this time, so that their duration does not show whether an audit entry was
 * written.
 */
const REFUSAL_MS = 250;
/** Repeated failures cause at most one notice per hour. */
const NOTICE_EVERY_MS = 3_600_000;
/** Longer values are truncated; browser and system are at the start. */
const MAX_USER_AGENT_LENGTH = 300;

/**
 * Every failure is the same 401 after the same work, so that it does not reveal whether an account exists or which
 * input was wrong. Only a valid password reveals that a code is missing.
 */
export async function logIn(deps: SignInDeps, input: LogInInput, lockJoining?: LockJoining): Promise<LoggedIn> {
  const startedAt = performance.now();
  const { password, address } = input;
  const email = input.email.toLowerCase();
  const browserHash = input.browserToken === undefined ? undefined : hashKey(input.browserToken);
  const isKnown =
    browserHash !== undefined && (await findUserOfBrowser(deps.db, browserHash, email, deps.now())) !== undefined;
  const counted = await deps.limits.countLogin({ email, address, knownBrowser: isKnown ? browserHash : undefined });
  const user = await users.findBy(deps.db, 'byEmail', [email]);
  const isRight = await deps.isPassword(user?.passwordHash, password, address);
  // Hashing takes long, so it runs before the transaction, which would hold a connection and a lock.
  const rehashed = user && isRight && isOutdated(user.passwordHash) ? await hashPassword(password, address) : undefined;
  const browserToken = isKnown && input.browserToken !== undefined ? input.browserToken : newRefreshToken();
  const attempt = { ...input, isRight, rehashed, browserToken, isLast: counted.isLast, lockJoining };
  const outcome: Outcome = user
    ? await deps.db.transaction((tx) => decide(deps, tx, { ...attempt, user }))
    : { refused: 'unknown' };
  if (!('refused' in outcome)) {
    await counted.forgive();
    return outcome;
  }
  if (outcome.refused === 'code_missing') throw new BusinessError('TOTP_REQUIRED');
  await delay(REFUSAL_MS - ((performance.now() - startedAt) % REFUSAL_MS));
  throw new BusinessError('UNAUTHORIZED', 'The e-mail address, the password or the code is wrong.');
}

interface Attempt extends LogInInput {
  readonly user: UserRecord;
  readonly isRight: boolean;
  readonly rehashed: string | undefined;
  readonly browserToken: string;
  /** If this attempt fails, the next one is refused. */
  readonly isLast: boolean;
  readonly lockJoining: LockJoining | undefined;
}

async function decide(deps: SignInDeps, tx: Transaction, attempt: Attempt): Promise<Outcome> {
  const { code, address } = attempt;
  const joining = await attempt.lockJoining?.(tx);
  const user = await users.lock(tx, attempt.user.id);
  if (!user) throw new Error('invariant: user rows are never deleted');
  const chosen = chosenOf(await openMemberships(tx, user.id), user, attempt.merchantId);
  // Failures are hidden from the merchant of an invitation, because they reveal that the account exists.
  const person = { ...user, merchantId: chosen ?? user.merchantId };
  const merchantId = joining?.merchantId ?? chosen;
  const refuse = async (refused: 'password' | 'code' | 'deactivated'): Promise<Outcome> => {
    const after = { because: refused, address };
    await auditPerson(deps, tx, { person, action: 'user.login_failed', actor: 'login', after });
    if (attempt.isLast) await giveNotice(deps, tx, person, address);
    return { refused };
  };
  // The hash differs if the password was changed during the verification.
  if (!attempt.isRight || person.passwordHash !== attempt.user.passwordHash) return refuse('password');
  if (person.deletedAt !== null || merchantId === undefined) return refuse('deactivated');
  const factor = await lockSecondFactor(tx, person.id);
  let by: 'password' | 'totp' | 'recovery_code' = 'password';
  if (factor?.confirmedAt) {
    if (code === undefined || code === null) return { refused: 'code_missing' };
    const spent = await spendCode(deps, tx, { userId: person.id, factor, code });
    if (spent === undefined) return refuse('code');
    by = spent;
  }
  const entered = { id: user.id, merchantId };
  if (attempt.rehashed !== undefined) {
    await users.replace(tx, changed(user, { passwordHash: attempt.rehashed }, deps.now()));
    // Not the user record, which contains the first merchant of the person and the role there.
    await auditPerson(deps, tx, { person: entered, action: 'user.password_rehashed' });
  }
  await joining?.join(user.id);
  const at = deps.now();
  const userAgent = attempt.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  const signedIn = await openSession(deps, tx, { userId: person.id, merchantId, address, userAgent });
  await auditPerson(deps, tx, { person: entered, action: 'user.logged_in', after: { by, address } });
  const browser = { token: attempt.browserToken, expiresAt: new Date(at.getTime() + KNOWN_BROWSER_DAYS * DAY_MS) };
  const tokenHash = hashKey(browser.token);
  await rememberBrowser(tx, { tokenHash, userId: person.id, now: at, expiresAt: browser.expiresAt });
  return { ...signedIn, browser };
}

/** Informs the person that further attempts are refused, because an attacker may have made them. */
async function giveNotice(deps: SignInDeps, tx: Transaction, person: UserRecord, address: string): Promise<void> {
  const at = deps.now();
  const notice = { id: deps.newId(), kind: 'login_limited' as const, details: { address }, createdAt: at };
  const since = new Date(at.getTime() - NOTICE_EVERY_MS);
  if ((await insertNoticeUnlessRecent(tx, person.id, notice, since)) === 0) return;
  await auditPerson(deps, tx, { person, action: 'user.login_limited', actor: 'login', after: { address } });
  await deps.mails.add(tx, { to: person.email, ...loginLimitedMail(address) });
}

/** The requested merchant, if the person is a member of it; undefined without any membership. */
function chosenOf(
  open: readonly OpenMembership[],
  { merchantId: first }: UserRecord,
  wanted: string | null | undefined,
): string | undefined {
  const ids = open.map(({ merchantId }) => merchantId);
  return ids.find((id) => id === wanted) ?? ids.find((id) => id === first) ?? ids[0];
}
