import {
  acceptInvitationRequestSchema,
  accountSchema,
  changePasswordRequestSchema,
  confirmTwoFactorRequestSchema,
  disableTwoFactorRequestSchema,
  endedSessionsSchema,
  forgottenBrowsersSchema,
  joinedMerchantSchema,
  joinMerchantRequestSchema,
  loginRequestSchema,
  ownSessionSchema,
  passwordRequestSchema,
  recoveryCodesSchema,
  signedInSchema,
  switchMerchantRequestSchema,
  twoFactorEnrolmentSchema,
  twoFactorStateSchema,
} from '../http/auth';
import { ROLES } from '../role';
import { operation } from './operation';

const tag = 'Sign-in';
const service = 'dashboard-api';
const person = { kind: 'session', roles: ROLES } as const;
const nobody = { kind: 'none' } as const;
const cookieHeader = { 'Set-Cookie': 'The refresh token: HttpOnly, SameSite=Strict, for `/v1/auth` alone.' };
const cookiesHeader = {
  'Set-Cookie':
    'The refresh token, and a token by which the account knows this browser for 180 days: HttpOnly, SameSite=Strict, for `/v1/auth` alone.',
};
const NEEDS_HEADER =
  'Reads the refresh token from its cookie, and so needs a header that a form of another site cannot send: `X-Requested-With`, with any value.';

export const logIn = operation({
  id: 'logIn',
  service,
  method: 'post',
  path: '/v1/auth/login',
  tag,
  summary: 'Log in',
  description:
    'With two-factor authentication on, a right password alone is answered 401 `TOTP_REQUIRED`; send the same again with `code`, from the app or one of the recovery codes. Everything wrong is answered alike. Failures are counted per address and account; a browser that has logged in to the account before is counted by itself, so that nobody else can lock its owner out.',
  credential: nobody,
  body: loginRequestSchema,
  answers: { 200: { description: 'An access token for 15 minutes.', body: signedInSchema, headers: cookiesHeader } },
  errors: ['UNAUTHORIZED', 'TOTP_REQUIRED', 'RATE_LIMITED'],
});

export const refreshSession = operation({
  id: 'refreshSession',
  service,
  method: 'post',
  path: '/v1/auth/refresh',
  tag,
  summary: 'Get the next access token',
  description: `${NEEDS_HEADER} Every refresh token is good for one use; an old one that turns up later ends the session, because two hold it then.`,
  credential: nobody,
  answers: { 200: { description: 'An access token for 15 minutes.', body: signedInSchema, headers: cookieHeader } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const logOut = operation({
  id: 'logOut',
  service,
  method: 'post',
  path: '/v1/auth/logout',
  tag,
  summary: 'End the session',
  description: NEEDS_HEADER,
  credential: nobody,
  answers: {
    200: {
      description: 'How many sessions this has ended; none without a cookie.',
      body: endedSessionsSchema,
      headers: cookieHeader,
    },
  },
  errors: ['FORBIDDEN'],
});

export const getOwnSession = operation({
  id: 'getOwnSession',
  service,
  method: 'get',
  path: '/v1/auth/me',
  tag,
  summary: 'Who is logged in',
  credential: person,
  answers: {
    200: {
      description: 'The person, their merchant, the end of their session, and notices for them.',
      body: ownSessionSchema,
    },
  },
});

export const switchMerchant = operation({
  id: 'switchMerchant',
  service,
  method: 'post',
  path: '/v1/auth/merchant/switch',
  tag,
  summary: 'Go on at another merchant',
  description:
    'For people of several merchants, which `GET /v1/auth/me` lists. The session is at one merchant at a time: access tokens of the one before are answered 401 within a second, and a refresh gives one of the new one.',
  credential: person,
  body: switchMerchantRequestSchema,
  answers: { 200: { description: 'An access token for 15 minutes.', body: signedInSchema } },
  errors: ['NOT_FOUND'],
});

export const joinMerchant = operation({
  id: 'joinMerchant',
  service,
  method: 'post',
  path: '/v1/auth/invitations/join',
  tag,
  summary: 'Accept an invitation with an account',
  description:
    'For people whose e-mail address has an account: logged in with it, they belong to the inviting merchant too, and may switch to it. An invitation to another address is answered like an unknown one.',
  credential: person,
  body: joinMerchantRequestSchema,
  answers: { 201: { description: 'The merchant, and what the person may do there.', body: joinedMerchantSchema } },
  errors: ['INVITATION_NOT_VALID', 'ALREADY_MEMBER'],
});

export const forgetKnownBrowsers = operation({
  id: 'forgetKnownBrowsers',
  service,
  method: 'post',
  path: '/v1/auth/known-browsers/forget',
  tag,
  summary: 'Forget all browsers that this account knows',
  description: 'Sessions go on. A browser is known again after its next log-in.',
  credential: person,
  answers: {
    200: { description: 'How many were known.', body: forgottenBrowsersSchema, headers: cookieHeader },
  },
});

export const changePassword = operation({
  id: 'changePassword',
  service,
  method: 'post',
  path: '/v1/auth/password/change',
  tag,
  summary: 'Change the password and end all other sessions',
  credential: person,
  body: changePasswordRequestSchema,
  answers: { 200: { description: 'How many other sessions this has ended.', body: endedSessionsSchema } },
  errors: ['PASSWORD_WRONG', 'PASSWORD_NOT_ALLOWED', 'RATE_LIMITED'],
});

export const enrolTwoFactor = operation({
  id: 'enrolTwoFactor',
  service,
  method: 'post',
  path: '/v1/auth/2fa/enrol',
  tag,
  summary: 'Begin two-factor authentication',
  description: 'Nothing changes until a code has been confirmed; beginning again throws the earlier secret away.',
  credential: person,
  body: passwordRequestSchema,
  answers: { 200: { description: 'The secret for an authenticator app, shown once.', body: twoFactorEnrolmentSchema } },
  errors: ['PASSWORD_WRONG', 'TWO_FACTOR_ON', 'RATE_LIMITED'],
});

export const confirmTwoFactor = operation({
  id: 'confirmTwoFactor',
  service,
  method: 'post',
  path: '/v1/auth/2fa/confirm',
  tag,
  summary: 'Switch two-factor authentication on and end all other sessions',
  credential: person,
  body: confirmTwoFactorRequestSchema,
  answers: {
    200: { description: 'One-time codes for the day the phone is lost, shown once.', body: recoveryCodesSchema },
  },
  errors: ['CODE_WRONG', 'TWO_FACTOR_ON', 'TWO_FACTOR_NOT_BEGUN', 'RATE_LIMITED'],
});

export const disableTwoFactor = operation({
  id: 'disableTwoFactor',
  service,
  method: 'post',
  path: '/v1/auth/2fa/disable',
  tag,
  summary: 'Switch two-factor authentication off',
  description: 'Needs the password and, while it is on, a `code` of the app or one of the recovery codes.',
  credential: person,
  body: disableTwoFactorRequestSchema,
  answers: { 200: { description: 'Off, also when it was off before.', body: twoFactorStateSchema } },
  errors: ['PASSWORD_WRONG', 'CODE_WRONG', 'RATE_LIMITED'],
});

export const acceptInvitation = operation({
  id: 'acceptInvitation',
  service,
  method: 'post',
  path: '/v1/auth/invitations/accept',
  tag,
  summary: 'Accept an invitation',
  description:
    'The token is in the mail to the invited address. The person can log in afterwards; somebody with an account logs in first and joins. An unknown, used, revoked and expired invitation are answered alike.',
  credential: nobody,
  body: acceptInvitationRequestSchema,
  answers: { 201: { description: 'The new account.', body: accountSchema } },
  errors: ['INVITATION_NOT_VALID', 'PASSWORD_NOT_ALLOWED', 'EMAIL_TAKEN', 'RATE_LIMITED'],
});
