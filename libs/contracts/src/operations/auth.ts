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
  logInWithInvitationRequestSchema,
  loginRequestSchema,
  ownSessionListSchema,
  ownSessionSchema,
  passwordRequestSchema,
  recoveryCodesSchema,
  signedInSchema,
  switchMerchantRequestSchema,
  twoFactorEnrolmentSchema,
  twoFactorStateSchema,
} from '../http/auth';
import { ROLES } from '../role';
import { languageQuerySchema } from '../language';
import { operations } from './operation';

const person = { kind: 'session', roles: ROLES } as const;
const noCredential = { kind: 'none' } as const;
const cookieHeader = { 'Set-Cookie': 'The refresh token: HttpOnly, SameSite=Strict, path `/v1/auth`.' };
const cookiesHeader = {
  'Set-Cookie':
    'The refresh token, and a token that marks this browser as known for 180 days: HttpOnly, SameSite=Strict, path `/v1/auth`.',
};
const NEEDS_HEADER =
  'Reads the refresh token from its cookie. Requires the header `X-Requested-With` with any value as protection against cross-site requests.';

const api = operations({ service: 'dashboard-api', tag: 'Sign-in' });

export const logIn = api.post('logIn', '/v1/auth/login', {
  summary: 'Log in',
  description:
    'If two-factor authentication is enabled, a request without `code` returns 401 `TOTP_REQUIRED`; repeat it with a `code` ' +
    'from the authenticator app or a recovery code. All other failures return the same response. Failures are counted per account ' +
    'and client address. Failures from a known browser, in which the account has logged in before, are counted separately, so that ' +
    'others cannot lock out the owner.',
  credential: noCredential,
  body: loginRequestSchema,
  answers: { 200: { description: 'An access token for 15 minutes.', body: signedInSchema, headers: cookiesHeader } },
  errors: ['UNAUTHORIZED', 'TOTP_REQUIRED', 'RATE_LIMITED'],
});

export const refreshSession = api.post('refreshSession', '/v1/auth/refresh', {
  summary: 'Refresh the access token',
  description: `${NEEDS_HEADER} A refresh token can be used once. Use of an old refresh token ends the session, because the token may have been stolen.`,
  credential: noCredential,
  answers: { 200: { description: 'An access token for 15 minutes.', body: signedInSchema, headers: cookieHeader } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const logOut = api.post('logOut', '/v1/auth/logout', {
  summary: 'Log out',
  description: NEEDS_HEADER,
  credential: noCredential,
  answers: {
    200: {
      description: 'The number of sessions ended; 0 without a cookie.',
      body: endedSessionsSchema,
      headers: cookieHeader,
    },
  },
  errors: ['FORBIDDEN'],
});

export const getOwnSession = api.get('getOwnSession', '/v1/auth/me', {
  summary: 'Get the logged-in user',
  credential: person,
  query: languageQuerySchema,
  answers: {
    200: {
      description: 'The user, the merchant, the end of the session, and notices.',
      body: ownSessionSchema,
    },
  },
});

export const listOwnSessions = api.get('listOwnSessions', '/v1/auth/sessions', {
  summary: 'List the open sessions of the logged-in user',
  description: 'At all merchants, newest first, at most 100.',
  credential: person,
  answers: { 200: { description: 'The open sessions.', body: ownSessionListSchema } },
});

export const endOwnSession = api.post('endOwnSession', '/v1/auth/sessions/:id/end', {
  summary: 'End a session of the logged-in user',
  description: 'Its access token returns 401 after about one second, its refresh token immediately.',
  credential: person,
  answers: { 200: { description: '1, or 0 if the session had ended before.', body: endedSessionsSchema } },
  errors: ['NOT_FOUND'],
});

export const endOtherSessions = api.post('endOtherSessions', '/v1/auth/sessions/end-others', {
  summary: 'End all other sessions of the logged-in user',
  credential: person,
  answers: { 200: { description: 'The number of sessions ended.', body: endedSessionsSchema } },
});

export const switchMerchant = api.post('switchMerchant', '/v1/auth/merchant/switch', {
  summary: 'Switch to another merchant',
  description:
    'For users with several merchants, listed by `GET /v1/auth/me`. A session belongs to one merchant at a time: access tokens for ' +
    'the previous merchant return 401 after about one second.',
  credential: person,
  body: switchMerchantRequestSchema,
  answers: { 200: { description: 'An access token for 15 minutes.', body: signedInSchema } },
  errors: ['NOT_FOUND'],
});

export const joinMerchant = api.post('joinMerchant', '/v1/auth/invitations/join', {
  summary: 'Accept an invitation while logged in',
  description:
    'The logged-in user becomes a member of the inviting merchant and can switch to it. An ' +
    'invitation to another e-mail address returns the same error as an unknown invitation.',
  credential: person,
  body: joinMerchantRequestSchema,
  answers: { 201: { description: 'The merchant and the role of the user.', body: joinedMerchantSchema } },
  errors: ['INVITATION_NOT_VALID', 'ALREADY_MEMBER'],
});

export const forgetKnownBrowsers = api.post('forgetKnownBrowsers', '/v1/auth/known-browsers/forget', {
  summary: 'Remove all known browsers of the account',
  description: 'Sessions stay active. A browser becomes known again at its next log-in.',
  credential: person,
  answers: {
    200: { description: 'The number of removed browsers.', body: forgottenBrowsersSchema, headers: cookieHeader },
  },
});

export const changePassword = api.post('changePassword', '/v1/auth/password/change', {
  summary: 'Change the password and end all other sessions',
  credential: person,
  body: changePasswordRequestSchema,
  answers: { 200: { description: 'The number of other sessions ended.', body: endedSessionsSchema } },
  errors: ['PASSWORD_WRONG', 'PASSWORD_NOT_ALLOWED', 'RATE_LIMITED'],
});

export const enrolTwoFactor = api.post('enrolTwoFactor', '/v1/auth/2fa/enrol', {
  summary: 'Start two-factor authentication enrolment',
  description:
    'Two-factor authentication is enabled only after a code is confirmed. Starting again replaces the earlier secret.',
  credential: person,
  body: passwordRequestSchema,
  answers: {
    200: { description: 'The TOTP secret for an authenticator app, shown once.', body: twoFactorEnrolmentSchema },
  },
  errors: ['PASSWORD_WRONG', 'TWO_FACTOR_ON', 'RATE_LIMITED'],
});

export const confirmTwoFactor = api.post('confirmTwoFactor', '/v1/auth/2fa/confirm', {
  summary: 'Enable two-factor authentication and end all other sessions',
  credential: person,
  body: confirmTwoFactorRequestSchema,
  answers: {
    200: { description: 'Recovery codes, shown once.', body: recoveryCodesSchema },
  },
  errors: ['CODE_WRONG', 'TWO_FACTOR_ON', 'TWO_FACTOR_NOT_BEGUN', 'RATE_LIMITED'],
});

export const disableTwoFactor = api.post('disableTwoFactor', '/v1/auth/2fa/disable', {
  summary: 'Disable two-factor authentication',
  description:
    'Requires the password and, while two-factor authentication is enabled, a `code` from the authenticator app or a recovery ' +
    'code.',
  credential: person,
  body: disableTwoFactorRequestSchema,
  answers: { 200: { description: 'Two-factor authentication is disabled.', body: twoFactorStateSchema } },
  errors: ['PASSWORD_WRONG', 'CODE_WRONG', 'RATE_LIMITED'],
});

export const acceptInvitation = api.post('acceptInvitation', '/v1/auth/invitations/accept', {
  summary: 'Accept an invitation',
  description:
    'Creates an account with the token from the invitation mail. If the invited e-mail address has an account, the response is ' +
    '`EMAIL_TAKEN`: use `POST /v1/auth/invitations/login`. Unknown, used, revoked and expired invitations return the same response.',
  credential: noCredential,
  body: acceptInvitationRequestSchema,
  answers: { 201: { description: 'The new account.', body: accountSchema } },
  errors: ['INVITATION_NOT_VALID', 'PASSWORD_NOT_ALLOWED', 'EMAIL_TAKEN', 'RATE_LIMITED'],
});

export const logInWithInvitation = api.post('logInWithInvitation', '/v1/auth/invitations/login', {
  summary: 'Log in and accept an invitation',
  description:
    'For users who have an account, also if no merchant lets them in any more. The account is that of the invited e-mail address. ' +
    'Requires the token from the invitation mail, the password and, if two-factor authentication is enabled, a `code`. The user ' +
    'becomes a member of the inviting merchant, and the session is opened there. Failures are counted and answered as those of ' +
    '`POST /v1/auth/login`; without a valid token the password is not verified.',
  credential: noCredential,
  body: logInWithInvitationRequestSchema,
  answers: { 200: { description: 'An access token for 15 minutes.', body: signedInSchema, headers: cookiesHeader } },
  errors: ['INVITATION_NOT_VALID', 'ALREADY_MEMBER', 'UNAUTHORIZED', 'TOTP_REQUIRED', 'RATE_LIMITED'],
});
