import { z } from 'zod';
import { ROLES } from '../role';
import { requestBody } from './request-body';
import { boundedText, oneLineText, SIX_DIGITS_PATTERN } from './request-values';
import { timestamp, uuidText } from './request-fields';

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

/** Limited, because long passwords are expensive to hash. */
const password = (field: string, min: number) =>
  boundedText(field, { min, max: MAX_PASSWORD_LENGTH, missing: `${field} is required and must be a string` });

const knownPassword = (field: string) => password(field, 1);

const newPassword = (field: string) => password(field, MIN_PASSWORD_LENGTH);

/** `123456`, or a recovery code such as `K7QX-2MNP-93TD-WZ4A`. */
const secondFactorCode = boundedText('code', { max: 40, trimmed: true });

const invitationToken = boundedText('token', { max: 200, missing: 'token is required and must be a string' });

/** Any text is accepted: an invalid address gets the response of a wrong password. */
export const loginRequestSchema = requestBody({
  email: boundedText('email', { max: 254, missing: 'email is required and must be a string', trimmed: true }),
  password: knownPassword('password'),
  code: secondFactorCode.nullish(),
  merchantId: uuidText('merchantId')
    .nullish()
    .meta({
      description:
        'Optional. The merchant of the session, for users with several merchants. Without it, or if the user is no longer an active ' +
        'member there or the merchant is disabled: the merchant at which the account was created, else the oldest other active ' +
        'membership. `user.merchant` of the response shows which one. A user without any gets the response of a wrong password.',
    }),
});

export const logInWithInvitationRequestSchema = requestBody({
  token: invitationToken,
  password: knownPassword('password'),
  code: secondFactorCode.nullish(),
});

export const passwordRequestSchema = requestBody({ password: knownPassword('password') });

export const disableTwoFactorRequestSchema = requestBody({
  password: knownPassword('password'),
  code: secondFactorCode.nullish(),
});

export const changePasswordRequestSchema = requestBody({
  currentPassword: knownPassword('currentPassword'),
  newPassword: newPassword('newPassword'),
});

export const confirmTwoFactorRequestSchema = requestBody({
  code: z
    .string({ error: 'code is required and must be a string' })
    .max(40, 'code must be at most 40 characters')
    .overwrite((code) => code.replace(/\s/g, ''))
    .regex(/^\d{6}$/, 'code must be 6 digits')
    .meta({ minLength: 6, maxLength: 40, pattern: SIX_DIGITS_PATTERN }),
});

export const switchMerchantRequestSchema = requestBody({
  merchantId: uuidText('merchantId', 'merchantId is required and must be a UUID'),
});

export const joinMerchantRequestSchema = requestBody({ token: invitationToken });

export const acceptInvitationRequestSchema = requestBody({
  token: invitationToken,
  password: newPassword('password'),
  name: oneLineText('name', { max: 120 }).nullish(),
});

/** The logged-in dashboard user. */
export const accountSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  merchant: z.object({ id: z.uuid(), name: z.string() }),
  twoFactorEnabled: z.boolean(),
});
export type Account = z.infer<typeof accountSchema>;

/** Response of log-in and refresh; the refresh token is sent as an HttpOnly cookie. */
export const signedInSchema = z.object({
  accessToken: z.string(),
  expiresIn: z.int().positive(),
  user: accountSchema,
});

/** Kinds of notices that this version writes. */
export type NoticeKind = 'login_limited' | 'number_shared' | 'number_lost';

/** A notice for a user. `kind` is a plain string, so that clients accept new kinds. */
export const noticeSchema = z.object({
  id: z.uuid(),
  kind: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  at: timestamp,
});

export const ownSessionSchema = z.object({
  user: accountSchema,
  recoveryCodesLeft: z.int().nonnegative(),
  session: z.object({ id: z.uuid(), createdAt: timestamp, expiresAt: timestamp }),
  /** All merchants of the user; the session belongs to the merchant in `user`. */
  merchants: z.array(z.object({ id: z.uuid(), name: z.string(), role: z.enum(ROLES) })),
  /** Notices of the last thirty days, newest first, at most 20. */
  notices: z.array(noticeSchema),
});

/** An open session of the logged-in user. */
export const sessionOfListSchema = z.object({
  id: z.uuid(),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp.meta({ description: 'Up to 15 minutes early: the last log-in or refresh.' }),
  address: z.string().nullable().meta({ description: 'Client address of the log-in.' }),
  userAgent: z.string().nullable().meta({ description: 'Header `User-Agent` of the log-in, at most 300 characters.' }),
  merchant: z.object({ id: z.uuid(), name: z.string() }),
  isCurrent: z.boolean().meta({ description: 'Whether this request belongs to the session.' }),
});
export type SessionOfList = z.infer<typeof sessionOfListSchema>;

export const ownSessionListSchema = z.object({ data: z.array(sessionOfListSchema) });

export const joinedMerchantSchema = z.object({
  merchant: z.object({ id: z.uuid(), name: z.string() }),
  role: z.enum(ROLES),
});

export const endedSessionsSchema = z.object({ endedSessions: z.int().nonnegative() });

export const forgottenBrowsersSchema = z.object({ forgotten: z.int().nonnegative() });

export const twoFactorEnrolmentSchema = z.object({
  secret: z.string(),
  otpauthUri: z.string(),
  qrSvg: z.string(),
});

export const recoveryCodesSchema = z.object({
  recoveryCodes: z.array(z.string()),
  endedSessions: z.int().nonnegative(),
});

export const twoFactorStateSchema = z.object({ twoFactorEnabled: z.boolean() });
