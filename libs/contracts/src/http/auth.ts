import { z } from 'zod';
import { ROLES } from '../role';
import { requestBody, storableText } from './request-body';

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

/** Bounded, because the longest ones would cost the most to hash. */
const knownPassword = (field: string) =>
  storableText(field, `${field} is required and must be a string`)
    .min(1, `${field} must not be empty`)
    .max(MAX_PASSWORD_LENGTH, `${field} must be at most ${MAX_PASSWORD_LENGTH} characters`);

const newPassword = (field: string) =>
  knownPassword(field).min(MIN_PASSWORD_LENGTH, `${field} must be at least ${MIN_PASSWORD_LENGTH} characters`);

/** `123456`, or a recovery code such as `K7QX-2MNP-93TD-WZ4A`. */
const secondFactorCode = storableText('code')
  .trim()
  .min(1, 'code must not be empty')
  .max(40, 'code must be at most 40 characters');

/** Any text may be an e-mail address here: an impossible one is refused like a wrong password. */
export const loginRequestSchema = requestBody({
  email: storableText('email', 'email is required and must be a string')
    .trim()
    .min(1, 'email must not be empty')
    .max(254, 'email must be at most 254 characters'),
  password: knownPassword('password'),
  code: secondFactorCode.nullish(),
  /** Where to begin, for somebody with several merchants; their first one when absent. */
  merchantId: z.uuid({ error: 'merchantId must be a UUID' }).nullish(),
});
export type LoginRequest = z.infer<typeof loginRequestSchema>;

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
    .regex(/^\s*\d{6}\s*$/, 'code must be 6 digits')
    .trim(),
});

export const switchMerchantRequestSchema = requestBody({
  merchantId: z.uuid({ error: 'merchantId is required and must be a UUID' }),
});

const invitationToken = storableText('token', 'token is required and must be a string')
  .min(1, 'token must not be empty')
  .max(200, 'token must be at most 200 characters');

export const joinMerchantRequestSchema = requestBody({ token: invitationToken });

export const acceptInvitationRequestSchema = requestBody({
  token: invitationToken,
  password: newPassword('password'),
  name: storableText('name')
    .trim()
    .min(1, 'name must not be empty')
    .max(120, 'name must be at most 120 characters')
    .nullish(),
});

const timestamp = z.iso.datetime({ offset: true });

/** A person at the dashboard, as they see themselves. */
export const accountSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  merchant: z.object({ id: z.uuid(), name: z.string() }),
  twoFactorEnabled: z.boolean(),
});
export type Account = z.infer<typeof accountSchema>;

/** Answer of log-in and refresh; the refresh token travels beside it, in a cookie that scripts cannot read. */
export const signedInSchema = z.object({
  accessToken: z.string(),
  expiresIn: z.int().positive(),
  user: accountSchema,
});

/** What a person should see without asking. `kind` is a text, so that a new one stops no reader. */
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
  /** All that the person may work for; the session is at the one of `user`. */
  merchants: z.array(z.object({ id: z.uuid(), name: z.string(), role: z.enum(ROLES) })),
  /** Of the last thirty days, newest first, at most 20. */
  notices: z.array(noticeSchema),
});

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
