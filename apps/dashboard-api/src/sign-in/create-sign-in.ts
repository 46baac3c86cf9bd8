import { createSecretBox, isProduction } from '@pay/runtime';
import { createLoginLimits } from './login-limits';
import { isPassword } from './passwords';
import type { DashboardApiConfig } from '../config';
import { readAccessToken } from './access-tokens';
import { currentSession, type CurrentSession } from './current-session';
import type { AuthDeps } from './sign-in-routes';
import type { SignInDeps } from './sign-in-deps';

export type SignInSettings = Pick<
  DashboardApiConfig,
  | 'NODE_ENV'
  | 'SESSION_SECRET'
  | 'TOTP_ENCRYPTION_KEYS'
  | 'LOGIN_LIMIT_PER_ACCOUNT'
  | 'LOGIN_LIMIT_ACCOUNT_SECONDS'
  | 'LOGIN_LIMIT_PER_ADDRESS'
  | 'LOGIN_LIMIT_UNKNOWN_BROWSERS'
  | 'LOGIN_LIMIT_UNKNOWN_BROWSERS_SECONDS'
>;

export function createSignIn(
  parts: Pick<SignInDeps, 'db' | 'messaging' | 'log' | 'now' | 'newId' | 'mails'>,
  settings: SignInSettings,
): Omit<AuthDeps, 'guard'> & { readonly currentSession: CurrentSession } {
  const { db, now } = parts;
  const secrets = settings.SESSION_SECRET;
  const limits = createLoginLimits(db, {
    perAccount: settings.LOGIN_LIMIT_PER_ACCOUNT,
    accountSeconds: settings.LOGIN_LIMIT_ACCOUNT_SECONDS,
    perAddress: settings.LOGIN_LIMIT_PER_ADDRESS,
    perAccountUnknown: settings.LOGIN_LIMIT_UNKNOWN_BROWSERS,
    unknownSeconds: settings.LOGIN_LIMIT_UNKNOWN_BROWSERS_SECONDS,
  });
  const secretBox = createSecretBox(settings.TOTP_ENCRYPTION_KEYS, 'totp');
  const current = currentSession({ db, now });
  return {
    async session(token) {
      const issued = readAccessToken(secrets, token);
      return issued && current(issued);
    },
    currentSession: current,
    signIn: { ...parts, secrets, limits, secretBox, isPassword },
    secureCookies: isProduction(settings),
  };
}
