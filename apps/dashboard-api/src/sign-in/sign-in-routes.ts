import { authOperations, BusinessError, type Operation } from '@pay/contracts';
import { operationServer, type SessionCheck } from '@pay/http';
import { clientAddress } from '@pay/rate-limits';
import type { CookieOptions, Express, Request, RequestHandler, Response } from 'express';
import { changePassword } from './change-password';
import { confirmTwoFactor } from './confirm-two-factor';
import { disableTwoFactor } from './disable-two-factor';
import { endOwnSession } from './end-own-session';
import { endSessionsElsewhere } from './end-sessions-elsewhere';
import { enrolTwoFactor } from './enrol-two-factor';
import { getOwnSession } from './get-own-session';
import { forgetKnownBrowsers } from './forget-known-browsers';
import { listOwnSessions } from './list-own-sessions';
import { logIn, type LoggedIn, type LogInOrigin } from './log-in';
import { logOut } from './log-out';
import type { SignedIn } from './open-session';
import { refreshSession } from './refresh-session';
import type { SignInDeps } from './sign-in-deps';
import { switchMerchant } from './switch-merchant';

export interface AuthDeps {
  readonly session: SessionCheck;
  readonly signIn: SignInDeps;
  readonly guard: (operation: Operation) => readonly RequestHandler[];
  /** False only in development without TLS. */
  readonly secureCookies: boolean;
}

const COOKIE = 'pay_refresh';
const BROWSER_COOKIE = 'pay_browser';
/** Example: `pay_refresh=<43 characters of base64url>`, among other cookies. */
const TOKEN = /(?:^|;\s*)pay_refresh=([\w-]{43})(?:;|$)/;
const BROWSER_TOKEN = /(?:^|;\s*)pay_browser=([\w-]{43})(?:;|$)/;

export function mountAuth(app: Express, { session, signIn, guard, secureCookies }: AuthDeps): void {
  const serve = operationServer(app, { session, guard });
  const cookie = cookieOf(secureCookies);
  const answer = (res: Response, signedIn: SignedIn) => answerSignedIn(res, signedIn, cookie);

  serve(authOperations.logIn, async ({ body, req, res }) =>
    answerLogIn(res, await logIn(signIn, { ...body, ...originOf(req) }), secureCookies),
  );
  serve(authOperations.refreshSession, async ({ req, res }) => {
    assertOwnPage(req);
    try {
      return answer(res, await refreshSession(signIn, tokenOf(req)));
    } catch (error) {
      if (error instanceof BusinessError && error.code === 'UNAUTHORIZED') res.clearCookie(COOKIE, cookie);
      throw error;
    }
  });
  serve(authOperations.logOut, async ({ req, res }) => {
    assertOwnPage(req);
    const endedSessions = await logOut(signIn, tokenOf(req));
    res.clearCookie(COOKIE, cookie);
    return { endedSessions };
  });
  serve(authOperations.getOwnSession, ({ session, query }) => getOwnSession(signIn, session, query.language));
  serve(authOperations.listOwnSessions, ({ session }) => listOwnSessions(signIn, session));
  serve(authOperations.endOwnSession, async ({ session, params }) => ({
    endedSessions: await endOwnSession(signIn, { session, id: params.id }),
  }));
  serve(authOperations.endOtherSessions, async ({ session }) => ({
    endedSessions: await endSessionsElsewhere(signIn, session),
  }));
  serve(authOperations.switchMerchant, ({ session, body }) =>
    switchMerchant(signIn, { session, merchantId: body.merchantId }),
  );
  serve(authOperations.forgetKnownBrowsers, async ({ session, res }) => {
    const forgotten = await forgetKnownBrowsers(signIn, session);
    res.clearCookie(BROWSER_COOKIE, cookie);
    return { forgotten };
  });
  serve(authOperations.changePassword, async ({ session, body, req }) => {
    const input = { session, ...body, browserToken: browserTokenOf(req) };
    return { endedSessions: await changePassword(signIn, input) };
  });
  serve(authOperations.enrolTwoFactor, ({ session, body }) => enrolTwoFactor(signIn, { session, ...body }));
  serve(authOperations.confirmTwoFactor, ({ session, body }) => confirmTwoFactor(signIn, { session, ...body }));
  serve(authOperations.disableTwoFactor, async ({ session, body }) => {
    await disableTwoFactor(signIn, { session, ...body });
    return { twoFactorEnabled: false };
  });
}

export function originOf(req: Request): LogInOrigin {
  return { address: clientAddress(req), browserToken: browserTokenOf(req), userAgent: req.get('user-agent') };
}

/** Sets the cookies of the session and of the known browser. */
export function answerLogIn(res: Response, { browser, ...signedIn }: LoggedIn, secureCookies: boolean) {
  const cookie = cookieOf(secureCookies);
  const body = answerSignedIn(res, signedIn, cookie);
  res.cookie(BROWSER_COOKIE, browser.token, { ...cookie, expires: browser.expiresAt });
  return body;
}

function answerSignedIn(res: Response, { body, refreshToken, expiresAt }: SignedIn, cookie: CookieOptions) {
  res.cookie(COOKIE, refreshToken, { ...cookie, expires: expiresAt });
  return body;
}

function cookieOf(secure: boolean): CookieOptions {
  return { httpOnly: true, sameSite: 'strict', secure, path: '/v1/auth' };
}

/**
 * Browsers send the cookie with requests of any page. A form cannot send this header, and a script of another site
 * needs a preflight that fails; SameSite=Strict is a second protection.
 */
function assertOwnPage(request: Request): void {
  if (request.headers['x-requested-with'] === undefined) {
    throw new BusinessError('FORBIDDEN', 'The header X-Requested-With is required.');
  }
}

function browserTokenOf(request: Request): string | undefined {
  return BROWSER_TOKEN.exec(request.headers.cookie ?? '')?.[1];
}

function tokenOf(request: Request): string | undefined {
  return TOKEN.exec(request.headers.cookie ?? '')?.[1];
}
