import { z } from 'zod';
import { environmentSchema } from '../environment';
import { paymentMethodSchema } from '../payment-method';
import { timestamp } from '../timestamp';

/** The kinds of fact that dashboard-api owns and the data plane copies. */
export const directoryKindSchema = z.enum(['merchant', 'api_key', 'receiver_account', 'device']);
export type DirectoryKind = z.infer<typeof directoryKindSchema>;

/** Full state with a version: an older version never replaces a newer one; a deletion is a version too. */
const versioned = { id: z.uuid(), version: z.int().positive(), deleted: z.boolean() };
const owned = { merchantId: z.uuid(), environment: environmentSchema };

/**
 * Rules that send evidence to review although it passes all checks; the first four are off by default, because they
 * also match honest payments. Forgery signals need no rule: in LIVE they lead to a review unless `relaxedSignals`
 * contains them.
 */
export const evidenceRulesSchema = z.object({
  /** Texts with any signal, also one that honest texts show. */
  reviewForgerySignals: z.boolean(),
  /** Texts whose balance does not follow from the wallet's earlier texts. */
  reviewBalanceBreaks: z.boolean(),
  /** Money from another number than the intent's `expectedSenderMsisdn`, as far as the text shows the payer's. */
  requirePayerAgreement: z.boolean(),
  /** Money that is older than this many hours by the provider's time when it is matched. Null: any age. */
  reviewOlderThanHours: z.int().positive().nullable(),
  /**
   * Names of RELAXABLE_SIGNALS that do not send evidence to review. A text, so that a newer name stops no consumer.
   * Absent in facts that were written before it existed: read it as none.
   */
  relaxedSignals: z.array(z.string()).nullish(),
});
export type EvidenceRules = z.infer<typeof evidenceRulesSchema>;

export const DEFAULT_EVIDENCE_RULES: EvidenceRules = {
  reviewForgerySignals: false,
  reviewBalanceBreaks: false,
  requirePayerAgreement: false,
  reviewOlderThanHours: null,
};

/**
 * A merchant's branding at checkout. The logo is a data URL, so that the customer's browser contacts no other server.
 */
export const brandingSchema = z.object({
  /** `data:image/png;base64,...`, or jpeg, or webp. */
  logo: z.string().nullable(),
  /** `#rrggbb`, lower case. */
  colour: z.string().nullable(),
});
export type Branding = z.infer<typeof brandingSchema>;

export const DEFAULT_BRANDING: Branding = { logo: null, colour: null };

/** A merchant's rules for checkout. */
export const checkoutRulesSchema = z.object({
  /**
   * Checkout asks for the last three digits of the paying number. A claim without them, or with others than the SMS
   * shows, goes to review.
   */
  requirePayerDigits: z.boolean(),
});
export type CheckoutRules = z.infer<typeof checkoutRulesSchema>;

export const DEFAULT_CHECKOUT_RULES: CheckoutRules = { requirePayerDigits: false };

/** How a customer reaches the shop, for the checkout page. */
export const supportContactSchema = z.object({
  phone: z.string().nullable(),
  email: z.string().nullable(),
  /** An https URL. */
  website: z.string().nullable(),
});
export type SupportContact = z.infer<typeof supportContactSchema>;

export const NO_SUPPORT_CONTACT: SupportContact = { phone: null, email: null, website: null };

export const merchantChangedV1 = z.object({
  ...versioned,
  name: z.string(),
  isActive: z.boolean(),
  enabledMethods: z.array(paymentMethodSchema),
  /** Absent in facts that were written before there were any: read it as DEFAULT_EVIDENCE_RULES. */
  evidenceRules: evidenceRulesSchema.nullish(),
  /** Absent or null: DEFAULT_BRANDING. */
  branding: brandingSchema.nullish(),
  /** Absent or null: DEFAULT_CHECKOUT_RULES. */
  checkout: checkoutRulesSchema.nullish(),
  /** Absent or null: NO_SUPPORT_CONTACT. */
  support: supportContactSchema.nullish(),
});
export type MerchantFact = z.infer<typeof merchantChangedV1>;

export const apiKeyScopeSchema = z.enum([
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'sandbox:simulate',
]);
export type ApiKeyScope = z.infer<typeof apiKeyScopeSchema>;

/** Scopes of a key for which none are given. */
export const DEFAULT_API_KEY_SCOPES: readonly ApiKeyScope[] = apiKeyScopeSchema.options.filter(
  (scope) => scope !== 'sandbox:simulate',
);

/** `keyHash`: lower-case hex SHA-256 of the whole key. The key itself is shown once and stored nowhere. */
export const apiKeyChangedV1 = z.object({
  ...versioned,
  ...owned,
  keyHash: z.string(),
  scopes: z.array(apiKeyScopeSchema),
  isLocked: z.boolean(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});
export type ApiKeyFact = z.infer<typeof apiKeyChangedV1>;

/** Amounts are decimal strings in BDT; null is no limit. A day is one of Asia/Dhaka, and so is a month. */
export const receiverLimitsSchema = z.object({
  dailyAmount: z.string().nullable(),
  monthlyAmount: z.string().nullable(),
  dailyCount: z.int().positive().nullable(),
});
export type ReceiverLimits = z.infer<typeof receiverLimitsSchema>;

export const receiverAccountChangedV1 = z.object({
  ...versioned,
  ...owned,
  paymentMethod: paymentMethodSchema,
  msisdn: z.string(),
  isActive: z.boolean(),
  /** Absent in facts that were written before there were limits, and in copies of them: read it as null. */
  limits: receiverLimitsSchema.nullish(),
});
export type ReceiverAccountFact = z.infer<typeof receiverAccountChangedV1>;

/**
 * A device's URL for one forwarder app. `hookHash`: hex SHA-256 of the hook id. `sealedSecret`: the signing secret,
 * encrypted for sms-ingest; null if there is none. `adapter` is a string, so that readers accept new ones.
 */
export const forwarderHookSchema = z.object({
  id: z.uuid(),
  adapter: z.string(),
  hookHash: z.string(),
  sealedSecret: z.string().nullable(),
});
export type ForwarderHook = z.infer<typeof forwarderHookSchema>;

export const deviceChangedV1 = z.object({
  ...versioned,
  ...owned,
  name: z.string(),
  keyHash: z.string(),
  isDisabled: z.boolean(),
  /** Which receiver accounts' SMS arrive on which SIM (1-based); a null slot fits messages of any slot. */
  sims: z.array(z.object({ simSlot: z.int().positive().nullable(), receiverAccountIds: z.array(z.uuid()) })),
  /** Absent in facts that were written before there were hooks: read it as none. */
  hooks: z.array(forwarderHookSchema).nullish(),
  /** Whether LIVE accepts texts that its forwarder app did not sign. Absent in older facts: read it as false. */
  allowsUnsignedTexts: z.boolean().nullish(),
});
export type DeviceFact = z.infer<typeof deviceChangedV1>;

/** Last uses of API keys in one process since its last report; several events may contain the same key. */
export const apiKeyUsedV1 = z.object({
  uses: z.array(z.object({ apiKeyId: z.uuid(), usedAt: timestamp })),
});

/** Asks dashboard-api for everything of these kinds, deletions included; answered to the asker's control queue. */
export const directoryResendRequestedV1 = z.object({ service: z.string(), kinds: z.array(directoryKindSchema) });
export const directoryResendCompletedV1 = z.object({
  service: z.string(),
  kinds: z.array(directoryKindSchema),
  requestId: z.uuid(),
  /**
   * Number of facts of each kind. A copy with the same number of facts of this epoch is complete and deletes its facts
   * of earlier epochs. Absent: sent by the previous version.
   */
  counts: z.array(z.object({ kind: directoryKindSchema, facts: z.int().nonnegative() })).nullish(),
});

/** Asks every publisher to publish again, to this one queue, what it has published of these types since then. */
export const replayRequestedV1 = z.object({
  queue: z.string(),
  types: z.array(z.string()),
  since: timestamp,
});
