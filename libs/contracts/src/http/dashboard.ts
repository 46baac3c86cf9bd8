import { z } from 'zod';
import { deviceStatusSchema } from '../device-status';
import { RELAXABLE_SIGNALS } from '../evidence-signals';
import { environmentSchema } from '../environment';
import {
  apiKeyScopeSchema,
  DEFAULT_API_KEY_SCOPES,
  brandingSchema,
  checkoutRulesSchema,
  evidenceRulesSchema,
  receiverLimitsSchema,
  supportContactSchema,
} from '../events/directory-events';
import { formatAmount, parseAmount } from '../money';
import { normaliseMsisdn } from '../msisdn';
import { PAYMENT_METHOD_SPELLINGS, paymentMethodInputSchema, paymentMethodSchema } from '../payment-method';
import { ROLES } from '../role';
import { lastHeartbeatSchema } from './devices';
import { emailText } from './email';
import { pageQuerySchema } from './pagination';
import { requestBody } from './request-body';
import {
  boundedText,
  factTimeText,
  LIMIT_AMOUNT_BOUNDS,
  LIMIT_AMOUNT_PATTERN,
  MAX_LIMIT_AMOUNT,
} from './request-values';
import { supportContactInput } from './support-contact';

export const MAX_API_KEY_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
export const DEFAULT_API_KEY_OVERLAP_SECONDS = 24 * 60 * 60;
const MAX_NAME_LENGTH = 120;
const MAX_SIM_SLOT = 8;
const MAX_RECEIVERS_PER_SIM = 50;
const name = (field: string) =>
  boundedText(field, { max: MAX_NAME_LENGTH, missing: `${field} is required and must be a string`, trimmed: true });

const email = emailText('email', 'email is required and must be an e-mail address');

const role = z.enum(ROLES, { error: `role is required and must be one of ${ROLES.join(', ')}` });
const environment = z.enum(environmentSchema.options, { error: 'environment is required and must be SANDBOX or LIVE' });
const environmentFilter = z
  .enum(environmentSchema.options, { error: 'environment must be SANDBOX or LIVE' })
  .optional();

const method = (field: string) =>
  z
    .string({ error: `${field} is required and must be a string` })
    .meta({ enum: PAYMENT_METHOD_SPELLINGS })
    .refine((text) => paymentMethodInputSchema.safeParse(text).success, {
      error: `${field} must be one of ${paymentMethodSchema.options.join(', ')} or its lower-case alias`,
      abort: true,
    })
    .pipe(paymentMethodInputSchema);

const instant = (field: string) => factTimeText(field).transform((text) => new Date(text));

const MAX_REASON_LENGTH = 500;
const changeReason = boundedText('reason', {
  max: MAX_REASON_LENGTH,
  missing: 'reason is required and must be a string',
  trimmed: true,
});

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

const timestamp = z.iso.datetime({ offset: true });
/** Version of a record, starting at 1. */
const versioned = { version: z.int().positive(), createdAt: timestamp, updatedAt: timestamp };

// The merchant

/** What a data URL of this length holds fits a page that must load on a slow network. */
const MAX_LOGO_LENGTH = 16_384;
const MAX_EVIDENCE_AGE_HOURS = 72;

const yesOrNo = (field: string) => z.boolean({ error: `${field} must be true or false` }).optional();

/** The first bytes of the three formats, as base64 spells them: what is served as an image is one. */
const LOGO = /^data:image\/(?:png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|webp;base64,UklGR)[A-Za-z0-9+/]*={0,2}$/;

export const changeMerchantRequestSchema = requestBody({
  name: name('name').optional(),
  enabledMethods: z
    .array(method('enabledMethods'), { error: 'enabledMethods must be an array of payment methods' })
    .transform((methods) => paymentMethodSchema.options.filter((known) => methods.includes(known)))
    .optional(),
  evidenceRules: z
    .object(
      {
        reviewForgerySignals: yesOrNo('evidenceRules.reviewForgerySignals'),
        reviewBalanceBreaks: yesOrNo('evidenceRules.reviewBalanceBreaks'),
        requirePayerAgreement: yesOrNo('evidenceRules.requirePayerAgreement'),
        reviewOlderThanHours: z
          .int({ error: 'evidenceRules.reviewOlderThanHours must be a whole number of hours or null' })
          .min(1, 'evidenceRules.reviewOlderThanHours must be at least 1')
          .max(MAX_EVIDENCE_AGE_HOURS, `evidenceRules.reviewOlderThanHours must be at most ${MAX_EVIDENCE_AGE_HOURS}`)
          .nullish(),
        relaxedSignals: z
          .array(
            z.enum(RELAXABLE_SIGNALS, {
              error: `evidenceRules.relaxedSignals must contain only ${RELAXABLE_SIGNALS.join(', ')}`,
            }),
            { error: 'evidenceRules.relaxedSignals must be an array' },
          )
          .transform((given) => RELAXABLE_SIGNALS.filter((known) => given.includes(known)))
          .optional()
          .describe(
            'Replaces the whole list. In LIVE a payment with a listed signal is no longer reviewed for that signal, so anyone who can forge ' +
              'an SMS with it can forge a payment.',
          ),
      },
      { error: 'evidenceRules must be an object' },
    )
    .optional(),
  branding: z
    .object(
      {
        logo: z
          .string({ error: 'branding.logo must be a data URL or null' })
          .max(MAX_LOGO_LENGTH, `branding.logo must be at most ${MAX_LOGO_LENGTH} characters`)
          .regex(LOGO, 'branding.logo must be a data URL of a PNG, JPEG or WebP image in base64')
          .nullish(),
        colour: z
          .string({ error: 'branding.colour must be a string or null' })
          .regex(/^#[0-9a-fA-F]{6}$/, 'branding.colour must be a colour such as #1a2b3c')
          .toLowerCase()
          .nullish(),
      },
      { error: 'branding must be an object' },
    )
    .optional(),
  checkout: z
    .object(
      {
        requirePayerDigits: yesOrNo('checkout.requirePayerDigits').describe(
          'Checkout asks for the last three digits of the payer number. A claim with missing or different digits goes to review.',
        ),
      },
      { error: 'checkout must be an object' },
    )
    .optional(),
  support: supportContactInput.optional(),
  reason: changeReason
    .optional()
    .describe('Reason for the audit log; required when a signal is added to `evidenceRules.relaxedSignals`.'),
});

export const merchantResponseSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  isActive: z.boolean(),
  enabledMethods: z.array(paymentMethodSchema),
  evidenceRules: evidenceRulesSchema.extend({ relaxedSignals: z.array(z.string()) }),
  branding: brandingSchema,
  checkout: checkoutRulesSchema,
  support: supportContactSchema,
  ...versioned,
});
export type MerchantResponse = z.infer<typeof merchantResponseSchema>;

// People

export const changeUserRequestSchema = requestBody({ role });

export const userResponseSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  isActive: z.boolean(),
  ...versioned,
});
export type UserResponse = z.infer<typeof userResponseSchema>;

export const createInvitationRequestSchema = requestBody({ email, name: name('name'), role });

export const invitationStatusSchema = z.enum(['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED']);
export type InvitationStatus = z.infer<typeof invitationStatusSchema>;

export const invitationResponseSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  status: invitationStatusSchema,
  createdBy: z.uuid(),
  createdAt: timestamp,
  expiresAt: timestamp,
  acceptedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});
export type InvitationResponse = z.infer<typeof invitationResponseSchema>;

// API keys

export const createApiKeyRequestSchema = requestBody({
  environment,
  name: name('name'),
  scopes: z
    .array(
      z.enum(apiKeyScopeSchema.options, { error: `scopes must contain only ${apiKeyScopeSchema.options.join(', ')}` }),
      { error: 'scopes must be an array' },
    )
    .min(1, 'scopes must not be empty')
    .transform((scopes) => apiKeyScopeSchema.options.filter((known) => scopes.includes(known)))
    .nullish()
    .transform((scopes) => scopes ?? [...DEFAULT_API_KEY_SCOPES])
    .meta({ description: 'Default: all except sandbox:simulate.' }),
  expiresAt: instant('expiresAt').nullish(),
});

export const changeApiKeyRequestSchema = requestBody({ name: name('name') });

export const rotateApiKeyRequestSchema = requestBody({
  overlapSeconds: z
    .int({ error: 'overlapSeconds must be a whole number of seconds' })
    .min(0, 'overlapSeconds must be at least 0')
    .max(MAX_API_KEY_OVERLAP_SECONDS, `overlapSeconds must be at most ${MAX_API_KEY_OVERLAP_SECONDS}`)
    .nullish()
    .transform((seconds) => seconds ?? DEFAULT_API_KEY_OVERLAP_SECONDS),
  /** Of the new key. */
  expiresAt: instant('expiresAt').nullish(),
});

export const apiKeyStateSchema = z.enum(['ACTIVE', 'LOCKED', 'EXPIRED', 'REVOKED']);

export const apiKeyResponseSchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  name: z.string(),
  /** With `lastFour` the only visible part of a key. */
  prefix: z.string(),
  lastFour: z.string().nullable(),
  scopes: z.array(apiKeyScopeSchema),
  state: apiKeyStateSchema,
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  /** Up to about a minute late. */
  lastUsedAt: timestamp.nullable(),
  ...versioned,
});
export type ApiKeyResponse = z.infer<typeof apiKeyResponseSchema>;

/** `apiKey` is the key itself, returned only here. */
export const createdApiKeyResponseSchema = apiKeyResponseSchema.extend({ apiKey: z.string() });
export const rotatedApiKeyResponseSchema = createdApiKeyResponseSchema.extend({ replaced: apiKeyResponseSchema });

export const apiKeyListQuerySchema = pageQuerySchema.extend({ environment: environmentFilter });

// Receiver accounts

const limitAmount = (field: string) =>
  z
    .union([z.number().meta(LIMIT_AMOUNT_BOUNDS), z.string().meta({ pattern: LIMIT_AMOUNT_PATTERN })], {
      error: `${field} must be an amount in BDT`,
    })
    .transform((input, context) => {
      const amount = parseAmount(input);
      if (amount !== undefined && amount > 0n && Number(input) <= MAX_LIMIT_AMOUNT) return formatAmount(amount);
      context.addIssue({
        code: 'custom',
        message: `${field} must be more than 0 and at most ${MAX_LIMIT_AMOUNT}, with at most two decimals`,
      });
      return z.NEVER;
    })
    .nullish()
    .transform((amount) => amount ?? null);

/** Replaces all limits; omitted limits are removed. */
const limits = z
  .object(
    {
      dailyAmount: limitAmount('dailyAmount'),
      monthlyAmount: limitAmount('monthlyAmount'),
      dailyCount: z
        .int({ error: 'dailyCount must be a whole number' })
        .min(1, 'dailyCount must be at least 1')
        .max(1_000_000, 'dailyCount must be at most 1000000')
        .nullish()
        .transform((count) => count ?? null),
    },
    { error: 'limits must be an object' },
  )
  .nullable()
  .transform((given) => (given && Object.values(given).some((limit) => limit !== null) ? given : null));

const walletNumber = z
  .string({ error: 'msisdn is required and must be a string' })
  .meta({
    pattern: '^(?:\\+?880|0)?1[3-9]\\d{8}$',
    description: 'Spaces and dashes are ignored.',
    examples: ['01712345678'],
  })
  .refine(
    (text) => normaliseMsisdn(text) !== undefined,
    'msisdn must be a mobile number of Bangladesh, such as 01712345678',
  );

export const createReceiverAccountRequestSchema = requestBody({
  environment,
  paymentMethod: method('paymentMethod'),
  msisdn: walletNumber,
  label: name('label').nullish(),
  limits: limits.optional(),
});

export const requestNumberProofRequestSchema = requestBody({ msisdn: walletNumber });

export const confirmNumberProofRequestSchema = requestBody({
  code: boundedText('code', { min: 0, max: 40, missing: 'code is required and must be a string' }).transform((code) =>
    code.replace(/[\s-]/g, '').toUpperCase(),
  ),
});

export const numberProofResponseSchema = z.object({
  id: z.uuid(),
  msisdn: z.string(),
  status: z.enum(['REQUESTED', 'CODE_SENT', 'PROVEN', 'EXPIRED', 'CLOSED']),
  createdAt: timestamp,
  /** Of the request, and of the code once it was sent. */
  expiresAt: timestamp,
  provenAt: timestamp.nullable(),
});
export type NumberProofResponse = z.infer<typeof numberProofResponseSchema>;

export const changeReceiverAccountRequestSchema = requestBody({
  label: name('label').nullish(),
  limits: limits.optional(),
});

export const receiverAccountResponseSchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  paymentMethod: paymentMethodSchema,
  msisdn: z.string(),
  label: z.string().nullable(),
  limits: receiverLimitsSchema.nullable(),
  isActive: z.boolean(),
  ...versioned,
});
export type ReceiverAccountResponse = z.infer<typeof receiverAccountResponseSchema>;

/** What a receiver account was paid, next to its limits. */
export const receiverUsageSchema = z
  .object({
    id: z.uuid().meta({ description: 'Id of the receiver account.' }),
    dayAmount: z.string().meta({ description: 'Amount paid to the account today.' }),
    monthAmount: z.string().meta({ description: 'Amount paid to the account since the first day of the month.' }),
    dayCount: z.int().nonnegative().meta({ description: 'Number of payments today.' }),
  })
  .meta({ id: 'ReceiverUsage' });
export const receiverUsageListSchema = z.object({
  day: z.iso.date().meta({ description: 'Today in Asia/Dhaka.' }),
  data: z.array(receiverUsageSchema),
});
export type ReceiverUsageList = z.infer<typeof receiverUsageListSchema>;

/** intent-api `POST /internal/v1/receiver-usage`: of receiver accounts that dashboard-api has found to be of one merchant. */
export const internalReceiverUsageRequestSchema = z.object({ receiverAccountIds: z.array(z.uuid()).max(1_000) });

/** Query of GET /v1/dashboard/receiver-usage. */
export const receiverUsageQuerySchema = z.object({ environment: environmentFilter });

export const receiverAccountListQuerySchema = pageQuerySchema.extend({
  environment: environmentFilter,
  paymentMethod: method('paymentMethod').optional(),
});

// Devices

/** An array in which one item at most has this slot. */
const atMostOnce = (simSlot: number | null) => ({
  contains: { type: 'object', properties: { simSlot: { const: simSlot } }, required: ['simSlot'] },
  minContains: 0,
  maxContains: 1,
});

const simsInput = z
  .array(
    z.object(
      {
        simSlot: z
          .int({ error: 'simSlot must be a whole number, or null for any slot' })
          .min(1, 'simSlot must be at least 1')
          .max(MAX_SIM_SLOT, `simSlot must be at most ${MAX_SIM_SLOT}`)
          .nullable(),
        receiverAccountIds: z
          .array(z.uuid({ error: 'receiverAccountIds must be UUIDs' }).toLowerCase(), {
            error: 'receiverAccountIds is required and must be an array of UUIDs',
          })
          .max(MAX_RECEIVERS_PER_SIM, `receiverAccountIds must have at most ${MAX_RECEIVERS_PER_SIM} items`)
          .transform(distinct),
      },
      { error: 'sims must be objects' },
    ),
    { error: 'sims must be an array' },
  )
  .max(MAX_SIM_SLOT + 1, `sims must have at most ${MAX_SIM_SLOT + 1} items`)
  .refine(
    (sims) => new Set(sims.map((sim) => sim.simSlot)).size === sims.length,
    'sims must not contain a simSlot twice',
  )
  .meta({ allOf: [null, ...Array.from({ length: MAX_SIM_SLOT }, (_, index) => index + 1)].map(atMostOnce) });

export const createDeviceRequestSchema = requestBody({
  environment,
  name: name('name'),
  sims: simsInput.nullish().transform((sims) => sims ?? []),
});

export const changeDeviceRequestSchema = requestBody({ name: name('name').optional(), sims: simsInput.optional() });

/** Body of POST /v1/dashboard/devices/:id/allow-unsigned-texts. */
export const allowUnsignedTextsRequestSchema = requestBody({
  acknowledgeForgedPayments: z
    .literal(true, {
      error:
        'acknowledgeForgedPayments must be true: anyone who knows the address of a hook of this device can then forge payments',
    })
    .describe('Confirms that the warning in the description of this operation was read.'),
  reason: changeReason.describe('Reason for the audit log.'),
});

export const deviceResponseSchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  name: z.string(),
  sims: z.array(z.object({ simSlot: z.int().positive().nullable(), receiverAccountIds: z.array(z.uuid()) })),
  isDisabled: z.boolean(),
  /** Time of the last pairing; null before the first. */
  pairedAt: timestamp.nullable(),
  status: deviceStatusSchema,
  /** Whether LIVE accepts unsigned SMS texts of this device. SANDBOX always does. */
  allowsUnsignedTexts: z.boolean(),
  /** Time of the last heartbeat or SMS; null if there was none. */
  lastSeenAt: timestamp.nullable(),
  ...versioned,
});
export type DeviceResponse = z.infer<typeof deviceResponseSchema>;

/** Heartbeat data from sms-ingest; null without a heartbeat or if sms-ingest is unavailable. */
export const deviceDetailsResponseSchema = deviceResponseSchema.extend({
  lastHeartbeat: lastHeartbeatSchema.nullable(),
});
export type DeviceDetailsResponse = z.infer<typeof deviceDetailsResponseSchema>;

export const deviceListQuerySchema = pageQuerySchema.extend({ environment: environmentFilter });

/** `code` is returned only here, as text and in the QR code. */
export const pairingResponseSchema = z.object({
  pairingId: z.uuid(),
  code: z.string(),
  expiresAt: timestamp,
  /** JSON content of the QR code. */
  qrPayload: z.string(),
  /** SVG image of the QR code. */
  qrSvg: z.string(),
});

// The audit log

export const auditLogQuerySchema = pageQuerySchema.extend({
  actor: boundedText('actor', { max: 200 }).optional(),
  action: boundedText('action', { max: 80 }).optional(),
  subjectKind: boundedText('subjectKind', { max: 80 }).optional(),
  subjectId: z.uuid({ error: 'subjectId must be a UUID' }).toLowerCase().optional(),
  from: instant('from').optional(),
  to: instant('to').optional(),
});

const recorded = z.record(z.string(), z.unknown()).nullable();

export const auditEntryResponseSchema = z.object({
  id: z.uuid(),
  at: timestamp,
  actor: z.string(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.uuid(),
  environment: environmentSchema.nullable(),
  before: recorded,
  after: recorded,
  /** Reason, if the operation requires one. */
  reason: z.string().nullable(),
});
export type AuditEntryResponse = z.infer<typeof auditEntryResponseSchema>;
