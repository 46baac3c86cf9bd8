import { authOperations, BusinessError, type Operation } from '@pay/contracts';
import { operationServer, sessionOf, type SessionCheck } from '@pay/http';
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
import { logIn } from './log-in';
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
  const cookie: CookieOptions = { httpOnly: true, sameSite: 'strict', secure: secureCookies, path: '/v1/auth' };
  const answer = (res: Response, { body, refreshToken, expiresAt }: SignedIn) => {
    res.cookie(COOKIE, refreshToken, { ...cookie, expires: expiresAt });
    return { status: 200, body } as const;
  };

  serve(authOperations.logIn, async ({ body, req, res }) => {
    const place = { address: clientAddress(req), browserToken: browserTokenOf(req), userAgent: req.get('user-agent') };
    const loggedIn = await logIn(signIn, { ...body, ...place });
    const answered = answer(res, loggedIn);
    res.cookie(BROWSER_COOKIE, loggedIn.browser.token, { ...cookie, expires: loggedIn.browser.expiresAt });
    return answered;
  });
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
    return { status: 200, body: { endedSessions } };
  });
  serve(authOperations.getOwnSession, async ({ query, res }) => ({
    status: 200,
    body: await getOwnSession(signIn, sessionOf(res), query.language),
  }));
  serve(authOperations.listOwnSessions, async ({ res }) => ({
    status: 200,
    body: await listOwnSessions(signIn, sessionOf(res)),
  }));
  serve(authOperations.endOwnSession, async ({ params, res }) => ({
    status: 200,
    body: { endedSessions: await endOwnSession(signIn, { session: sessionOf(res), id: params.id }) },
  }));
  serve(authOperations.endOtherSessions, async ({ res }) => ({
    status: 200,
    body: { endedSessions: await endSessionsElsewhere(signIn, sessionOf(res)) },
  }));
  serve(authOperations.switchMerchant, async ({ body, res }) => ({
    status: 200,
    body: await switchMerchant(signIn, { session: sessionOf(res), merchantId: body.merchantId }),
  }));
  serve(authOperations.forgetKnownBrowsers, async ({ res }) => {
    const forgotten = await forgetKnownBrowsers(signIn, sessionOf(res));
    res.clearCookie(BROWSER_COOKIE, cookie);
    return { status: 200, body: { forgotten } };
  });
  serve(authOperations.changePassword, async ({ body, req, res }) => {
    const input = { session: sessionOf(res), ...body, browserToken: browserTokenOf(req) };
    return { status: 200, body: { endedSessions: await changePassword(signIn, input) } };
  });
  serve(authOperations.enrolTwoFactor, async ({ body, res }) => ({
    status: 200,
    body: await enrolTwoFactor(signIn, { session: sessionOf(res), ...body }),
  }));
  serve(authOperations.confirmTwoFactor, async ({ body, res }) => ({
    status: 200,
    body: await confirmTwoFactor(signIn, { session: sessionOf(res), ...body }),
  }));
  serve(authOperations.disableTwoFactor, async ({ body, res }) => {
    await disableTwoFactor(signIn, { session: sessionOf(res), ...body });
    return { status: 200, body: { twoFactorEnabled: false } };
  });
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
