'use strict';

// libs/messaging/test/fixture.ts
var import_node_crypto5 = require('node:crypto');

// libs/testing/src/database.ts
var import_node_crypto2 = require('node:crypto');

// libs/local-servers/src/provision-database.ts
var import_pg = require('pg');
function roleOf(service) {
  return service.replaceAll('-', '_');
}

// libs/local-servers/src/start-postgres.ts
var import_pg2 = require('pg');

// libs/testing/src/database.ts
var import_pg3 = require('pg');

// libs/testing/src/migration-fingerprint.ts
var import_node_crypto = require('node:crypto');
var import_node_fs = require('node:fs');
var import_node_path = require('node:path');
function migrationFingerprint(service, asker) {
  const root = workspaceRoot(__dirname);
  const hash = (0, import_node_crypto.createHash)('sha256').update(`${service}
${asker}
`);
  addFolder(hash, (0, import_node_path.join)(root, 'apps', service, 'src', 'db'));
  for (const lib of (0, import_node_fs.readdirSync)((0, import_node_path.join)(root, 'libs')))
    addFolder(hash, (0, import_node_path.join)(root, 'libs', lib, 'src'), isMigration);
  return hash.digest('hex').slice(0, 12);
}
function isMigration(path) {
  return path.includes('migration');
}
function addFolder(hash, folder, wanted = () => true) {
  if (!(0, import_node_fs.existsSync)(folder)) return;
  const files = (0, import_node_fs.readdirSync)(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => (0, import_node_path.join)(entry.parentPath, entry.name))
    .filter(wanted);
  for (const file of files.sort()) hash.update(file).update((0, import_node_fs.readFileSync)(file));
}
function workspaceRoot(start) {
  for (let dir = start; ; dir = (0, import_node_path.dirname)(dir)) {
    if ((0, import_node_fs.existsSync)((0, import_node_path.join)(dir, 'package-lock.json'))) return dir;
    if (dir === (0, import_node_path.dirname)(dir))
      throw new Error(`${start} lies in no workspace: no package-lock.json above it.`);
  }
}

// libs/testing/src/servers.ts
function postgresUrl() {
  return required('TEST_POSTGRES_URL');
}
function amqpUrl() {
  return required('TEST_AMQP_URL');
}
function required(name) {
  const value = process.env[name];
  if (!value) {
    throw new Error(
      `${name} is not set: run \`npm test\`, which starts servers of its own, or give it the URL of a server for tests.`,
    );
  }
  return value;
}

// libs/testing/src/database.ts
var ROLE_PREFIX = 'test_';
var PASSWORD = 'test';
async function testDatabase({ service, migrate: migrate2, content }) {
  const asker = `${projectOfSpec()}
${migrate2.toString()}`;
  const hash = content === void 0 ? migrationFingerprint(service, asker) : shortHash(content);
  const schema = roleOf(service);
  const template = `template_${schema}_${hash}`;
  const database = `t_${schema}_${(0, import_node_crypto2.randomBytes)(6).toString('hex')}`;
  await asSuperuser(postgresUrl(), async (admin) => {
    await admin.query('select pg_advisory_lock(hashtext($1))', [`test role ${schema}`]);
    await ensureRole(admin, schema);
    await admin.query('select pg_advisory_unlock(hashtext($1))', [`test role ${schema}`]);
    await admin.query('select pg_advisory_lock(hashtext($1))', [template]);
    if (!(await exists(admin, template))) await buildTemplate(admin, { template, schema, migrate: migrate2 });
    await admin.query(
      `create database ${(0, import_pg3.escapeIdentifier)(database)} template ${(0, import_pg3.escapeIdentifier)(template)}`,
    );
  });
  return {
    url: urlOf(database, schema),
    drop: () =>
      asSuperuser(postgresUrl(), async (admin) => {
        await admin.query(`drop database if exists ${(0, import_pg3.escapeIdentifier)(database)} with (force)`);
      }),
  };
}
async function ensureRole(admin, schema) {
  const role = ROLE_PREFIX + schema;
  const { rowCount } = await admin.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount) return;
  await admin.query(
    `create role ${(0, import_pg3.escapeIdentifier)(role)} login password ${(0, import_pg3.escapeLiteral)(PASSWORD)}`,
  );
  await admin.query(
    `alter role ${(0, import_pg3.escapeIdentifier)(role)} set search_path = ${(0, import_pg3.escapeIdentifier)(schema)}`,
  );
}
async function buildTemplate(admin, { template, schema, migrate: migrate2 }) {
  const draft2 = `${template}_draft`;
  const role = (0, import_pg3.escapeIdentifier)(ROLE_PREFIX + schema);
  await admin.query(`drop database if exists ${(0, import_pg3.escapeIdentifier)(draft2)} with (force)`);
  await admin.query(`create database ${(0, import_pg3.escapeIdentifier)(draft2)} encoding 'UTF8' template template0`);
  await asSuperuser(withDatabase(postgresUrl(), draft2), async (client) => {
    await client.query('revoke all on schema public from public');
    await client.query(`create schema ${(0, import_pg3.escapeIdentifier)(schema)} authorization ${role}`);
    await client.query(`grant connect on database ${(0, import_pg3.escapeIdentifier)(draft2)} to ${role}`);
  });
  await migrate2(urlOf(draft2, schema));
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [draft2]);
  await admin.query(
    `alter database ${(0, import_pg3.escapeIdentifier)(draft2)} rename to ${(0, import_pg3.escapeIdentifier)(template)}`,
  );
}
async function exists(admin, database) {
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [database]);
  return rowCount === 1;
}
function urlOf(database, schema) {
  const url = new URL(withDatabase(postgresUrl(), database));
  url.username = ROLE_PREFIX + schema;
  url.password = PASSWORD;
  return url.toString();
}
function withDatabase(base, database) {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.toString();
}
async function asSuperuser(url, work) {
  const client = new import_pg3.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
function projectOfSpec() {
  const path = typeof expect === 'undefined' ? void 0 : expect.getState().testPath;
  return /\/((?:apps|libs)\/[^/]+)\/(?:src|test)\//.exec(path ?? '')?.[1] ?? '';
}
function shortHash(text3) {
  return (0, import_node_crypto2.createHash)('sha256').update(text3).digest('hex').slice(0, 12);
}

// libs/testing/src/namespace.ts
var import_node_crypto3 = require('node:crypto');
function testNamespace() {
  return `t_${(0, import_node_crypto3.randomBytes)(5).toString('hex')}.`;
}

// libs/contracts/src/environment.ts
var import_zod = require('zod');
var environmentSchema = import_zod.z.enum(['SANDBOX', 'LIVE']);

// libs/contracts/src/text.ts
var UNSTORABLE = /[\u0000\p{Cs}]/u;
function isStorableText(text3) {
  return !UNSTORABLE.test(text3);
}
function toStorableText(text3) {
  return text3.replace(new RegExp(UNSTORABLE, 'gu'), '\uFFFD');
}
function toAsciiDigits(text3) {
  return text3.replace(/[\u09e6-\u09ef]/g, (digit) => String(digit.charCodeAt(0) - 2534));
}

// libs/contracts/src/money.ts
var MAX_INTENT_AMOUNT = 999999999n;
var DECIMAL = /^(\d{1,15})(?:\.(\d{1,2}))?$/;
function parseAmount(input) {
  const match = DECIMAL.exec(typeof input === 'number' ? String(input) : input);
  if (match?.[1] === void 0) return void 0;
  return BigInt(match[1]) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
}

// libs/contracts/src/payment-method.ts
var import_zod2 = require('zod');
var providerSchema = import_zod2.z.enum(['BKASH', 'NAGAD']);
var paymentMethodSchema = import_zod2.z.enum([
  'BKASH_PAYMENT',
  'BKASH_SEND_MONEY',
  'BKASH_CASHOUT',
  'NAGAD_PAYMENT',
  'NAGAD_SEND_MONEY',
  'NAGAD_CASHOUT',
]);
var paymentMethodInputSchema = import_zod2.z
  .string()
  .transform((text3) => text3.toUpperCase())
  .pipe(paymentMethodSchema);

// libs/contracts/src/status.ts
var import_zod3 = require('zod');
var intentStatusSchema = import_zod3.z.enum(['PENDING', 'PAID', 'FAILED', 'EXPIRED', 'REJECTED', 'REVIEW_REQUIRED']);
var smsStatusSchema = import_zod3.z.enum([
  'RECEIVED',
  'PARSED',
  'UNPARSED',
  'MATCH_PENDING',
  'MATCHED',
  'FAILED',
  'MANUALLY_RESOLVED',
  'REJECTED',
]);
var matchStatusSchema = import_zod3.z.enum([
  'PENDING',
  'MATCHED',
  'REVIEW_REQUIRED',
  'FAILED',
  'EXPIRED',
  'UNPARSED',
  'DUPLICATE',
  'MANUALLY_RESOLVED',
  'REJECTED',
]);
var deliveryStatusSchema = import_zod3.z.enum(['PENDING', 'DELIVERED', 'RETRYING', 'FAILED']);
var matchPathSchema = import_zod3.z.enum(['REFERENCE', 'TRX_ID', 'MANUAL']);
var CHECK_NAMES = ['reference', 'amount', 'environment', 'method', 'receiver', 'expiry', 'reuse'];
var checkResultSchema = import_zod3.z.enum(['pass', 'fail', 'not_applicable']);
var checksSchema = import_zod3.z.record(import_zod3.z.enum(CHECK_NAMES), checkResultSchema);
var webhookEventSchema = import_zod3.z.enum([
  'payment.paid',
  'payment.review_required',
  'payment.expired',
  'payment.rejected',
]);

// libs/contracts/src/customer-reference.ts
var ALLOWED = /^[A-Za-z0-9 \-_./#]{1,16}$/;
var LETTER_OR_DIGIT = /[A-Za-z0-9]/;
function isCustomerReference(trimmed) {
  return ALLOWED.test(trimmed) && LETTER_OR_DIGIT.test(trimmed);
}

// libs/contracts/src/trx-id.ts
var import_zod4 = require('zod');
var TRX_ID = /^[A-Z0-9]{6,20}$/;
var trxIdInput = (field, missing = `${field} must be a string`) =>
  import_zod4.z
    .string({ error: missing })
    .transform((text3) => toAsciiDigits(text3.trim()).toUpperCase())
    .refine((text3) => TRX_ID.test(text3), `${field} must be 6 to 20 letters and digits`);
var trxIdInputSchema = trxIdInput('trxId', 'trxId is required and must be a string');

// libs/contracts/src/intent.ts
var import_zod5 = require('zod');
var timestamp = import_zod5.z.iso.datetime({ offset: true });
var shownReceiverSchema = import_zod5.z.object({
  receiverAccountId: import_zod5.z.uuid(),
  paymentMethod: paymentMethodSchema,
  receiverMsisdn: import_zod5.z.string(),
});
var intentSnapshotSchema = import_zod5.z.object({
  id: import_zod5.z.uuid(),
  amount: import_zod5.z.string(),
  currency: import_zod5.z.literal('BDT'),
  status: intentStatusSchema,
  customerReference: import_zod5.z.string(),
  merchantReference: import_zod5.z.string().nullable(),
  paymentMethod: paymentMethodSchema.nullable(),
  receiverMsisdn: import_zod5.z.string().nullable(),
  receiverAccountId: import_zod5.z.uuid().nullable(),
  shownReceivers: import_zod5.z.array(shownReceiverSchema),
  /** True when the merchant named the method at creation; the customer may not change it then. */
  methodFixed: import_zod5.z.boolean(),
  expectedTrxId: import_zod5.z.string().nullable(),
  expectedSenderMsisdn: import_zod5.z.string().nullable(),
  customerId: import_zod5.z.string().nullable(),
  language: import_zod5.z.enum(['en', 'bn']).nullable(),
  successUrl: import_zod5.z.string().nullable(),
  failedUrl: import_zod5.z.string().nullable(),
  cancelUrl: import_zod5.z.string().nullable(),
  expiredUrl: import_zod5.z.string().nullable(),
  metadata: import_zod5.z.record(import_zod5.z.string(), import_zod5.z.string()).nullable(),
  createdAt: timestamp,
  expiresAt: timestamp,
  paidAt: timestamp.nullable(),
});

// libs/contracts/src/events/envelope.ts
var import_zod6 = require('zod');
var envelopeSchema = import_zod6.z.object({
  id: import_zod6.z.uuid(),
  type: import_zod6.z.string(),
  version: import_zod6.z.int().positive(),
  occurredAt: import_zod6.z.iso.datetime({ offset: true }),
  environment: environmentSchema.nullable(),
  merchantId: import_zod6.z.uuid().nullable(),
  aggregateId: import_zod6.z.string(),
  sequence: import_zod6.z.int().nonnegative(),
  traceparent: import_zod6.z.string().nullish(),
  data: import_zod6.z.unknown(),
});

// libs/contracts/src/events/intent-events.ts
var import_zod7 = require('zod');
var intentDecisionSchema = import_zod7.z.object({
  matchId: import_zod7.z.uuid(),
  path: matchPathSchema.nullable(),
  reason: import_zod7.z.string(),
  decidedBy: import_zod7.z.string(),
  smsEventId: import_zod7.z.uuid().nullable(),
  trxId: import_zod7.z.string().nullable(),
  receivedAmount: import_zod7.z.string().nullable(),
});
var intentStateV1 = import_zod7.z.object({ intent: intentSnapshotSchema });
var intentOutcomeV1 = import_zod7.z.object({ intent: intentSnapshotSchema, decision: intentDecisionSchema });

// libs/contracts/src/events/sms-events.ts
var import_zod8 = require('zod');
var timestamp2 = import_zod8.z.iso.datetime({ offset: true });
var smsKindSchema = import_zod8.z.enum(['SEND_MONEY_RECEIVED', 'PAYMENT_RECEIVED', 'CASH_OUT_RECEIVED', 'OTHER']);
var smsDirectionSchema = import_zod8.z.enum(['IN', 'OUT', 'NONE']);
var smsOrigin = {
  smsEventId: import_zod8.z.uuid(),
  deviceId: import_zod8.z.uuid(),
  /** Null when the text could belong to several of the device's wallets: nothing is confirmed by guesswork. */
  receiverAccountId: import_zod8.z.uuid().nullable(),
  receiverMsisdn: import_zod8.z.string().nullable(),
  simSlot: import_zod8.z.int().nullable(),
  sender: import_zod8.z.string(),
  receivedAt: timestamp2,
  ingestedAt: timestamp2,
  parserVersion: import_zod8.z.string(),
};
var smsParsedV1 = import_zod8.z.object({
  ...smsOrigin,
  provider: providerSchema,
  kind: smsKindSchema,
  direction: smsDirectionSchema,
  paymentMethod: paymentMethodSchema,
  amount: import_zod8.z.string(),
  fee: import_zod8.z.string().nullable(),
  balance: import_zod8.z.string().nullable(),
  trxId: import_zod8.z.string(),
  reference: import_zod8.z.string().nullable(),
  senderMsisdn: import_zod8.z.string().nullable(),
  /** Time written in the text, read as Asia/Dhaka, minute precision. */
  providerTime: timestamp2,
});
var smsUnparsedV1 = import_zod8.z.object({
  ...smsOrigin,
  provider: providerSchema.nullable(),
  reason: import_zod8.z.string(),
});

// libs/contracts/src/events/match-events.ts
var import_zod9 = require('zod');
var timestamp3 = import_zod9.z.iso.datetime({ offset: true });
var evidenceSchema = import_zod9.z.object({
  smsEventId: import_zod9.z.uuid(),
  provider: providerSchema,
  paymentMethod: paymentMethodSchema,
  trxId: import_zod9.z.string(),
  amount: import_zod9.z.string(),
  receiverAccountId: import_zod9.z.uuid().nullable(),
  receiverMsisdn: import_zod9.z.string().nullable(),
  providerTime: timestamp3,
  ingestedAt: timestamp3,
});
var matchV1 = import_zod9.z.object({
  matchId: import_zod9.z.uuid(),
  matchStatus: matchStatusSchema,
  path: matchPathSchema.nullable(),
  reason: import_zod9.z.string(),
  checks: checksSchema.nullable(),
  /** For `late_payment`: whether the money was paid in time and only reported late, by the provider's time inside the text. */
  paidInTime: import_zod9.z.boolean().nullish(),
  /** `system`, or `user:<id>` when a person decided. */
  decidedBy: import_zod9.z.string(),
  paymentIntentId: import_zod9.z.uuid().nullable(),
  intent: import_zod9.z
    .object({ id: import_zod9.z.uuid(), status: intentStatusSchema, sequence: import_zod9.z.int().positive() })
    .nullable(),
  sms: import_zod9.z
    .object({ id: import_zod9.z.uuid(), status: smsStatusSchema, sequence: import_zod9.z.int().positive() })
    .nullable(),
  evidence: evidenceSchema.nullable(),
});

// libs/contracts/src/events/claim-events.ts
var import_zod10 = require('zod');
var claimSubmittedV1 = import_zod10.z.object({
  claimId: import_zod10.z.uuid(),
  paymentIntentId: import_zod10.z.uuid(),
  trxId: import_zod10.z.string(),
  submittedAt: import_zod10.z.iso.datetime({ offset: true }),
});
var claimJudgedV1 = import_zod10.z.object({
  claimId: import_zod10.z.uuid(),
  paymentIntentId: import_zod10.z.uuid(),
  outcome: import_zod10.z.string(),
  smsEventId: import_zod10.z.uuid().nullable(),
});

// libs/contracts/src/events/directory-events.ts
var import_zod11 = require('zod');
var directoryKindSchema = import_zod11.z.enum(['merchant', 'api_key', 'receiver_account', 'device']);
var versioned = {
  id: import_zod11.z.uuid(),
  version: import_zod11.z.int().positive(),
  deleted: import_zod11.z.boolean(),
};
var owned = { merchantId: import_zod11.z.uuid(), environment: environmentSchema };
var merchantChangedV1 = import_zod11.z.object({
  ...versioned,
  name: import_zod11.z.string(),
  isActive: import_zod11.z.boolean(),
  enabledMethods: import_zod11.z.array(paymentMethodSchema),
});
var apiKeyScopeSchema = import_zod11.z.enum(['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write']);
var apiKeyChangedV1 = import_zod11.z.object({
  ...versioned,
  ...owned,
  keyHash: import_zod11.z.string(),
  scopes: import_zod11.z.array(apiKeyScopeSchema),
  isLocked: import_zod11.z.boolean(),
  expiresAt: import_zod11.z.iso.datetime({ offset: true }).nullable(),
  revokedAt: import_zod11.z.iso.datetime({ offset: true }).nullable(),
});
var receiverAccountChangedV1 = import_zod11.z.object({
  ...versioned,
  ...owned,
  paymentMethod: paymentMethodSchema,
  msisdn: import_zod11.z.string(),
  isActive: import_zod11.z.boolean(),
});
var deviceChangedV1 = import_zod11.z.object({
  ...versioned,
  ...owned,
  name: import_zod11.z.string(),
  keyHash: import_zod11.z.string(),
  isDisabled: import_zod11.z.boolean(),
  /** Which receiver accounts' SMS arrive on which SIM (1-based); a null slot fits messages of any slot. */
  sims: import_zod11.z.array(
    import_zod11.z.object({
      simSlot: import_zod11.z.int().positive().nullable(),
      receiverAccountIds: import_zod11.z.array(import_zod11.z.uuid()),
    }),
  ),
});
var directoryResendRequestedV1 = import_zod11.z.object({
  service: import_zod11.z.string(),
  kinds: import_zod11.z.array(directoryKindSchema),
});
var directoryResendCompletedV1 = import_zod11.z.object({
  service: import_zod11.z.string(),
  kinds: import_zod11.z.array(directoryKindSchema),
  requestId: import_zod11.z.uuid(),
});
var replayRequestedV1 = import_zod11.z.object({
  queue: import_zod11.z.string(),
  types: import_zod11.z.array(import_zod11.z.string()),
  since: import_zod11.z.iso.datetime({ offset: true }),
});

// libs/contracts/src/events/catalogue.ts
var EVENTS = {
  'intent.created': { version: 1, data: intentStateV1 },
  'intent.method_selected': { version: 1, data: intentStateV1 },
  'intent.paid': { version: 1, data: intentOutcomeV1 },
  'intent.review_required': { version: 1, data: intentOutcomeV1 },
  'intent.expired': { version: 1, data: intentOutcomeV1 },
  'intent.rejected': { version: 1, data: intentOutcomeV1 },
  'intent.failed': { version: 1, data: intentOutcomeV1 },
  'sms.parsed': { version: 1, data: smsParsedV1 },
  'sms.unparsed': { version: 1, data: smsUnparsedV1 },
  'match.pending': { version: 1, data: matchV1 },
  'match.confirmed': { version: 1, data: matchV1 },
  'match.review_required': { version: 1, data: matchV1 },
  'match.duplicate': { version: 1, data: matchV1 },
  'match.failed': { version: 1, data: matchV1 },
  'match.expired': { version: 1, data: matchV1 },
  'match.rejected': { version: 1, data: matchV1 },
  'match.resolved': { version: 1, data: matchV1 },
  'match.unparsed': { version: 1, data: matchV1 },
  'claim.submitted': { version: 1, data: claimSubmittedV1 },
  'claim.waiting': { version: 1, data: claimJudgedV1 },
  'claim.settled': { version: 1, data: claimJudgedV1 },
  'merchant.changed': { version: 1, data: merchantChangedV1 },
  'api_key.changed': { version: 1, data: apiKeyChangedV1 },
  'receiver_account.changed': { version: 1, data: receiverAccountChangedV1 },
  'device.changed': { version: 1, data: deviceChangedV1 },
  'directory.resend_requested': { version: 1, data: directoryResendRequestedV1 },
  'directory.resend_completed': { version: 1, data: directoryResendCompletedV1 },
  'messaging.replay_requested': { version: 1, data: replayRequestedV1 },
};
var EVENT_TYPES = Object.keys(EVENTS);
function isEventType(type) {
  return Object.hasOwn(EVENTS, type);
}
function routingKey(type) {
  return `${type}.v${EVENTS[type].version}`;
}
function eventsOf(events, ...types) {
  const wanted = types;
  return events.filter((event) => wanted.includes(event.type));
}

// libs/contracts/src/events/decode-event.ts
var ContractViolation = class extends Error {
  name = 'ContractViolation';
};
function decodeEvent(body) {
  let json;
  try {
    json = JSON.parse(body.toString());
  } catch {
    throw new ContractViolation('the body is not JSON');
  }
  const envelope = envelopeSchema.safeParse(json);
  if (!envelope.success) throw new ContractViolation(`envelope: ${problems(envelope.error.issues)}`);
  const { type, version } = envelope.data;
  if (!isEventType(type)) throw new ContractViolation(`unknown event type ${type.slice(0, 60)}`);
  if (version !== EVENTS[type].version) throw new ContractViolation(`unknown version ${version} of ${type}`);
  const data = EVENTS[type].data.safeParse(envelope.data.data);
  if (!data.success) throw new ContractViolation(`${type} data: ${problems(data.error.issues)}`);
  return { ...envelope.data, data: data.data };
}
function problems(issues) {
  return issues.map((issue) => `${issue.path.map(String).join('.') || '(root)'} ${issue.code ?? 'invalid'}`).join(', ');
}

// libs/contracts/src/http/request-body.ts
var import_zod12 = require('zod');
function requestBody(shape) {
  return import_zod12.z.object(shape, { error: 'body must be a JSON object' });
}
function storableText(field, missing = `${field} must be a string`) {
  return import_zod12.z.string({ error: missing }).refine(isStorableText, `${field} must be text without NUL`);
}

// libs/contracts/src/http/pagination.ts
var import_zod13 = require('zod');
var DEFAULT_PAGE_SIZE = 20;
var MAX_PAGE_SIZE = 100;
var positive = (name) =>
  import_zod13.z
    .string({ error: `${name} must be a positive whole number` })
    .regex(/^[1-9]\d{0,8}$/, `${name} must be a positive whole number`)
    .transform(Number);
var pageQuerySchema = import_zod13.z.object({
  page: positive('page').default(1),
  limit: positive('limit')
    .default(DEFAULT_PAGE_SIZE)
    .transform((limit) => Math.min(limit, MAX_PAGE_SIZE)),
});

// libs/contracts/src/http/payment-intents.ts
var import_zod14 = require('zod');
var DEFAULT_TTL_SECONDS = 300;
var MIN_TTL_SECONDS = 60;
var MAX_TTL_SECONDS = 86400;
var MAX_URL_LENGTH = 2e3;
var MAX_INTENT_AMOUNT_BDT = Number(MAX_INTENT_AMOUNT) / 100;
var text = (name, max) =>
  storableText(name).trim().min(1, `${name} must not be empty`).max(max, `${name} must be at most ${max} characters`);
var redirectUrl = (name) =>
  storableText(name)
    .max(MAX_URL_LENGTH, `${name} must be at most ${MAX_URL_LENGTH} characters`)
    .refine(isRedirectUrl, `${name} must be an absolute http or https URL`);
var HTTP_URL = /^https?:\/\/\S+$/i;
function isRedirectUrl(value) {
  if (!isStorableText(value) || !HTTP_URL.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
}
var amountInput = import_zod14.z
  .union([import_zod14.z.number(), import_zod14.z.string()], { error: 'amount is required and must be a number' })
  .transform((input, context3) => {
    const amount = parseAmount(input);
    if (amount !== void 0 && amount > 0n && amount <= MAX_INTENT_AMOUNT) return amount;
    const outside = amount !== void 0 || Number(input) <= 0 || Number(input) > MAX_INTENT_AMOUNT_BDT;
    context3.addIssue({
      code: 'custom',
      message: outside
        ? `amount must be more than 0 and at most ${MAX_INTENT_AMOUNT_BDT}`
        : 'amount must be a number with at most two decimals',
    });
    return import_zod14.z.NEVER;
  });
var createIntentRequestSchema = requestBody({
  amount: amountInput,
  idempotencyKey: storableText('idempotencyKey', 'idempotencyKey is required and must be a string')
    .min(1, 'idempotencyKey must not be empty')
    .max(255, 'idempotencyKey must be at most 255 characters'),
  currency: import_zod14.z
    .literal('BDT', { error: 'currency must be BDT' })
    .nullish()
    .transform((currency) => currency ?? 'BDT'),
  merchantReference: text('merchantReference', 255).nullish(),
  customerReference: import_zod14.z
    .string({ error: 'customerReference must be a string' })
    .trim()
    .refine(
      isCustomerReference,
      'customerReference must be 1 to 16 letters, digits, spaces or -_./# with at least one letter or digit',
    )
    .nullish(),
  paymentMethod: import_zod14.z
    .string({ error: 'paymentMethod must be a string' })
    .refine((method) => paymentMethodInputSchema.safeParse(method).success, {
      error: `paymentMethod must be one of ${paymentMethodSchema.options.join(', ')} or its lower-case alias`,
      abort: true,
    })
    .pipe(paymentMethodInputSchema)
    .nullish(),
  language: import_zod14.z.enum(['en', 'bn'], { error: 'language must be en or bn' }).nullish(),
  customerId: text('customerId', 255).nullish(),
  expectedSenderMsisdn: text('expectedSenderMsisdn', 20).nullish(),
  expectedTrxId: trxIdInput('expectedTrxId').nullish(),
  ttlSeconds: import_zod14.z
    .int({ error: 'ttlSeconds must be a whole number of seconds' })
    .min(MIN_TTL_SECONDS, `ttlSeconds must be at least ${MIN_TTL_SECONDS}`)
    .max(MAX_TTL_SECONDS, `ttlSeconds must be at most ${MAX_TTL_SECONDS}`)
    .nullish()
    .transform((ttlSeconds) => ttlSeconds ?? DEFAULT_TTL_SECONDS),
  successUrl: redirectUrl('successUrl').nullish(),
  failedUrl: redirectUrl('failedUrl').nullish(),
  cancelUrl: redirectUrl('cancelUrl').nullish(),
  expiredUrl: redirectUrl('expiredUrl').nullish(),
  metadata: import_zod14.z
    .record(
      import_zod14.z.string().min(1).max(40).refine(isStorableText),
      storableText('metadata values', 'metadata values must be strings').max(
        500,
        'metadata values must be at most 500 characters',
      ),
      {
        error: (issue) =>
          issue.code === 'invalid_key'
            ? 'metadata keys must be 1 to 40 characters without NUL'
            : 'metadata must be a flat object of strings',
      },
    )
    .refine((pairs) => Object.keys(pairs).length <= 20, 'metadata must have at most 20 pairs')
    .nullish(),
});
var intentResponseSchema = import_zod14.z.object({
  id: import_zod14.z.uuid(),
  environment: environmentSchema,
  amount: import_zod14.z.string(),
  currency: import_zod14.z.literal('BDT'),
  status: intentStatusSchema,
  customerReference: import_zod14.z.string(),
  merchantReference: import_zod14.z.string().nullable(),
  paymentMethod: paymentMethodSchema.nullable(),
  receiverMsisdn: import_zod14.z.string().nullable(),
  checkoutUrl: import_zod14.z.string(),
  expiresAt: import_zod14.z.string(),
  createdAt: import_zod14.z.string(),
  paidAt: import_zod14.z.string().nullable(),
  metadata: import_zod14.z.record(import_zod14.z.string(), import_zod14.z.string()).nullable(),
});

// libs/contracts/src/http/checkout.ts
var import_zod15 = require('zod');
var checkoutViewSchema = import_zod15.z.object({
  id: import_zod15.z.uuid(),
  amount: import_zod15.z.string(),
  currency: import_zod15.z.literal('BDT'),
  status: intentStatusSchema,
  environment: environmentSchema,
  customerReference: import_zod15.z.string(),
  merchantReference: import_zod15.z.string().nullable(),
  paymentMethod: paymentMethodSchema.nullable(),
  paymentMethods: import_zod15.z.array(paymentMethodSchema),
  receiverMsisdn: import_zod15.z.string().nullable(),
  merchantName: import_zod15.z.string().nullable(),
  expiresAt: import_zod15.z.string(),
  serverTime: import_zod15.z.string(),
});
var confirmRequestSchema = requestBody({ trxId: trxIdInputSchema });
var confirmReasonSchema = import_zod15.z.enum([
  'trx_id_match',
  'trx_id_not_found',
  'trx_id_match_amount_mismatch',
  'processing',
]);
var confirmResponseSchema = import_zod15.z.object({
  matched: import_zod15.z.boolean(),
  paymentIntentId: import_zod15.z.uuid(),
  smsEventId: import_zod15.z.uuid().nullable(),
  reason: confirmReasonSchema,
});

// libs/contracts/src/http/sms-events.ts
var import_zod16 = require('zod');
var MAX_SMS_BATCH = 500;
var MAX_SMS_TEXT_LENGTH = 2e3;
var forwardedText = (field, missing = `${field} must be a string`) =>
  import_zod16.z.string({ error: missing }).overwrite(toStorableText);
var NOT_BEFORE = Date.UTC(1970, 0);
var BEFORE = Date.UTC(2100, 0);
var incomingSmsSchema = requestBody({
  sender: forwardedText('sender', 'sender is required and must be a string')
    .trim()
    .min(1, 'sender must not be empty')
    .max(64, 'sender must be at most 64 characters'),
  message: forwardedText('message', 'message is required and must be a string')
    .min(1, 'message must not be empty')
    .max(MAX_SMS_TEXT_LENGTH, `message must be at most ${MAX_SMS_TEXT_LENGTH} characters`),
  receiverMsisdn: forwardedText('receiverMsisdn')
    .trim()
    .max(20, 'receiverMsisdn must be at most 20 characters')
    .nullish(),
  simSlot: import_zod16.z
    .int({ error: 'simSlot must be a whole number' })
    .min(1, 'simSlot must be at least 1')
    .max(8, 'simSlot must be at most 8')
    .nullish(),
  receivedAt: import_zod16.z.iso
    .datetime({ offset: true, error: 'receivedAt is required and must be an ISO 8601 timestamp with a time zone' })
    .refine((text3) => {
      const time = Date.parse(text3);
      return !(time < NOT_BEFORE || time >= BEFORE);
    }, 'receivedAt must lie between 1970 and 2100'),
  clientMessageId: forwardedText('clientMessageId')
    .min(1, 'clientMessageId must not be empty')
    .max(255, 'clientMessageId must be at most 255 characters')
    .nullish(),
});
var smsAcceptedSchema = import_zod16.z.object({
  id: import_zod16.z.uuid(),
  status: smsStatusSchema,
  duplicate: import_zod16.z.boolean(),
});
var incomingSmsBatchSchema = requestBody({
  messages: import_zod16.z
    .array(import_zod16.z.unknown(), { error: 'messages must be an array' })
    .max(MAX_SMS_BATCH, `messages must have at most ${MAX_SMS_BATCH} items`),
});
var smsRefusedSchema = import_zod16.z.object({
  error: import_zod16.z.object({
    code: import_zod16.z.enum(['INVALID_MESSAGE', 'INTERNAL_ERROR']),
    message: import_zod16.z.string(),
  }),
});
var smsBatchAcceptedSchema = import_zod16.z.object({
  results: import_zod16.z.array(import_zod16.z.union([smsAcceptedSchema, smsRefusedSchema])),
});
var smsStatusBatchRequestSchema = requestBody({
  ids: import_zod16.z
    .array(import_zod16.z.uuid({ error: 'ids must be UUIDs' }), {
      error: 'ids is required and must be an array of UUIDs',
    })
    .max(MAX_SMS_BATCH, `ids must have at most ${MAX_SMS_BATCH} items`),
});
var smsStatusBatchResponseSchema = import_zod16.z.object({
  results: import_zod16.z.array(
    import_zod16.z.object({
      id: import_zod16.z.uuid(),
      status: smsStatusSchema,
      matchStatus: matchStatusSchema.nullable(),
      paymentIntentId: import_zod16.z.uuid().nullable(),
    }),
  ),
});

// libs/contracts/src/http/webhooks.ts
var import_zod17 = require('zod');
var MIN_SECRET_LENGTH = 16;
var EVENT_TYPES_SENTENCE = `eventTypes must be an array of ${webhookEventSchema.options.join(', ')}`;
var registerEndpointRequestSchema = requestBody({
  url: storableText('url', 'url is required and must be a string')
    .max(MAX_URL_LENGTH, `url must be at most ${MAX_URL_LENGTH} characters`)
    .refine(isRedirectUrl, 'url must be an absolute http or https URL without user info'),
  secret: storableText('secret', 'secret is required and must be a string')
    .min(MIN_SECRET_LENGTH, `secret must be at least ${MIN_SECRET_LENGTH} characters`)
    .max(256, 'secret must be at most 256 characters'),
  eventTypes: import_zod17.z
    .array(import_zod17.z.enum(webhookEventSchema.options, { error: EVENT_TYPES_SENTENCE }), {
      error: EVENT_TYPES_SENTENCE,
    })
    .nullish()
    .transform((types) => (types?.length ? [...new Set(types)] : [...webhookEventSchema.options])),
});
var endpointResponseSchema = import_zod17.z.object({
  id: import_zod17.z.uuid(),
  url: import_zod17.z.string(),
  eventTypes: import_zod17.z.array(webhookEventSchema),
  environment: environmentSchema,
  isVerified: import_zod17.z.boolean(),
  isActive: import_zod17.z.boolean(),
  createdAt: import_zod17.z.string(),
});
var deliveryResponseSchema = import_zod17.z.object({
  id: import_zod17.z.uuid(),
  endpointId: import_zod17.z.uuid(),
  paymentIntentId: import_zod17.z.uuid(),
  eventType: webhookEventSchema,
  status: deliveryStatusSchema,
  attempt: import_zod17.z.int(),
  statusCode: import_zod17.z.int().nullable(),
  idempotencyKey: import_zod17.z.string(),
  deliveredAt: import_zod17.z.string().nullable(),
  createdAt: import_zod17.z.string(),
});

// libs/contracts/src/http/internal.ts
var import_zod18 = require('zod');
var internalIntentSchema = import_zod18.z.object({
  merchantId: import_zod18.z.uuid(),
  environment: environmentSchema,
  sequence: import_zod18.z.int().positive(),
  intent: intentSnapshotSchema,
});
var judgeClaimRequestSchema = import_zod18.z.object({
  claimId: import_zod18.z.uuid(),
  merchantId: import_zod18.z.uuid(),
  environment: environmentSchema,
  paymentIntentId: import_zod18.z.uuid(),
  trxId: import_zod18.z.string(),
  submittedAt: import_zod18.z.iso.datetime({ offset: true }),
  /** The asker's sequence of the intent: an older copy is refreshed from intent-api first. */
  intentSequence: import_zod18.z.int().positive(),
});
var claimOutcomeSchema = import_zod18.z.enum([
  'matched',
  'waiting',
  'not_found',
  'amount_mismatch',
  'duplicate_trx_id',
  'intent_expired',
  'intent_not_pending',
]);
var judgeClaimResponseSchema = import_zod18.z.object({
  outcome: claimOutcomeSchema,
  smsEventId: import_zod18.z.uuid().nullable(),
  intentStatus: intentStatusSchema,
});
var expireIntentResponseSchema = import_zod18.z.object({ intentStatus: intentStatusSchema });
var undecidedSchema = import_zod18.z.object({
  undecided: import_zod18.z.array(
    import_zod18.z.object({
      merchantId: import_zod18.z.uuid(),
      environment: environmentSchema,
      oldest: import_zod18.z.iso.datetime({ offset: true }),
    }),
  ),
});
var apiKeyLookupSchema = import_zod18.z.object({ apiKey: apiKeyChangedV1.nullable() });
var deviceLookupSchema = import_zod18.z.object({ device: deviceChangedV1.nullable() });

// libs/persistence/src/data-source.ts
var import_typeorm = require('typeorm');
var CONNECT_TIMEOUT_MS = 5e3;
var IDLE_TRANSACTION_TIMEOUT_MS = 3e4;
var READ_TIMEOUT_MARGIN_MS = 5e3;
var SILENT = {
  logQuery: () => void 0,
  logQueryError: () => void 0,
  logQuerySlow: () => void 0,
  logSchemaBuild: () => void 0,
  logMigration: () => void 0,
  log: () => void 0,
};
function dataSource(options) {
  const { url, poolSize, applicationName, statementTimeoutMs, log, migrations: migrations2 = [] } = options;
  return new import_typeorm.DataSource({
    type: 'postgres',
    url,
    poolSize,
    applicationName,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    migrations: migrations2,
    logger: SILENT,
    synchronize: false,
    installExtensions: false,
    // Without a listener, a server that restarts kills every process with an idle connection.
    poolErrorHandler: (error) => {
      log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'database.idle_connection_lost');
    },
    extra: {
      keepAlive: true,
      keepAliveInitialDelayMillis: 1e4,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
      ...(statementTimeoutMs > 0
        ? { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + READ_TIMEOUT_MARGIN_MS }
        : {}),
    },
  });
}

// libs/persistence/src/migrate.ts
var import_promises = require('node:timers/promises');
var import_typeorm2 = require('typeorm');

// libs/persistence/src/migration.ts
var import_node_crypto4 = require('node:crypto');
var PendingMigrationsError = class extends Error {
  name = 'PendingMigrationsError';
};
var DatabaseNewerError = class extends Error {
  name = 'DatabaseNewerError';
};
var ChangedMigrationError = class extends Error {
  name = 'ChangedMigrationError';
};
var NAME = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})-[a-z0-9]+(?:-[a-z0-9]+)*$/;
var LEDGER = 'migrations';
var CHECKSUMS = 'migration_checksums';
function checksumOf(migration) {
  return (0, import_node_crypto4.createHash)('sha256').update(migration.sql).digest('hex');
}
function ledgerName(name) {
  const parts = NAME.exec(name);
  if (parts === null)
    throw new RangeError(`a migration is named <utc time>-<sentence>, such as 20261121100000-create-intents: ${name}`);
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number);
  const time = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
  return `${name}-${String(time).padStart(13, '0')}`;
}
function inOrder(migrations2) {
  const sorted = [...migrations2].sort((one, other) => (one.name < other.name ? -1 : 1));
  sorted.forEach((migration, index) => {
    if (migration.name === sorted[index + 1]?.name) throw new RangeError(`two migrations are named ${migration.name}`);
  });
  return sorted;
}
function toClass(migration) {
  return class {
    name = ledgerName(migration.name);
    transaction = migration.transaction ?? true;
    async up(runner) {
      await runner.query(migration.sql);
      await runner.query(
        `insert into ${CHECKSUMS} (name, checksum) values ($1, $2)
         on conflict (name) do update set checksum = excluded.checksum`,
        [this.name, checksumOf(migration)],
      );
    }
    down() {
      return Promise.reject(new Error('migrations only go forward: write a new one'));
    }
  };
}

// libs/persistence/src/migrate.ts
var LOCK_TIMEOUT = '15s';
var LOCK_POLL_MS = 100;
async function migrate({ url, migrations: migrations2, log }) {
  const ordered = inOrder(migrations2);
  const source = dataSource({
    url,
    poolSize: 1,
    applicationName: 'migrate',
    statementTimeoutMs: 0,
    log,
    migrations: ordered.map(toClass),
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await lockSchema(runner);
    await runner.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    await runner.query(
      `create table if not exists ${CHECKSUMS} (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    refuseChanged(ordered, await appliedMigrations(runner));
    const executor = new import_typeorm2.MigrationExecutor(source, runner);
    executor.transaction = 'each';
    const applied = (await executor.executePendingMigrations()).map((done) => plainName(done.name));
    for (const name of applied) log.info({ migration: name }, 'migration.applied');
    return applied;
  } finally {
    await runner.release();
    await source.destroy();
  }
}
async function lockSchema(runner) {
  for (;;) {
    const [answer] = await rows(
      runner,
      `select pg_try_advisory_lock(hashtext('migrations'), hashtext(current_schema())) as locked`,
    );
    if (answer?.locked === true) return;
    await (0, import_promises.setTimeout)(LOCK_POLL_MS);
  }
}
async function rows(runner, sql) {
  return await runner.query(sql);
}
async function appliedMigrations(runner) {
  const [tables] = await rows(
    runner,
    `select to_regclass('${LEDGER}') is not null and to_regclass('${CHECKSUMS}') is not null as ready`,
  );
  if (tables?.ready !== true) return [];
  return rows(
    runner,
    `select ledger.name, sums.checksum from ${LEDGER} ledger left join ${CHECKSUMS} sums using (name)`,
  );
}
async function refuseUnlessCurrent(source, migrations2) {
  const ordered = inOrder(migrations2);
  const runner = source.createQueryRunner();
  const applied = await appliedMigrations(runner).finally(() => runner.release());
  refuseChanged(ordered, applied);
  const appliedNames = new Set(applied.map((row) => row.name));
  const pending = ordered.filter((migration) => !appliedNames.has(ledgerName(migration.name)));
  if (pending.length > 0) {
    throw new PendingMigrationsError(
      `run the migrations first; pending: ${pending.map((each) => each.name).join(', ')}`,
    );
  }
  const known2 = new Set(ordered.map((migration) => ledgerName(migration.name)));
  const newer = applied.filter((row) => !known2.has(row.name));
  if (newer.length > 0) {
    throw new DatabaseNewerError(
      `the schema is newer than this code; unknown: ${newer.map((row) => plainName(row.name)).join(', ')}`,
    );
  }
}
function refuseChanged(migrations2, applied) {
  const checksums = new Map(applied.map((row) => [row.name, row.checksum]));
  for (const migration of migrations2) {
    const checksum = checksums.get(ledgerName(migration.name));
    if (checksum !== void 0 && checksum !== null && checksum !== checksumOf(migration)) {
      throw new ChangedMigrationError(
        `${migration.name} was edited after it had been applied; write a new migration instead`,
      );
    }
  }
}
function plainName(name) {
  return name.replace(/-\d{13}$/, '');
}

// libs/persistence/src/errors.ts
var import_pg4 = require('pg');
var UNAVAILABLE_CLASSES = /* @__PURE__ */ new Set([
  '08',
  // connection exceptions
  '53',
  // disk full, out of memory, too many connections
  '58',
  // errors outside Postgres, such as input and output
]);
var UNAVAILABLE_STATES = /* @__PURE__ */ new Set([
  '25006',
  // read-only: the primary has become a standby
  '25P03',
  // the server ended an idle transaction together with its session
  '57P01',
  // administrator's shutdown
  '57P02',
  // crash shutdown
  '57P03',
  // starting up or shutting down
  '57P05',
  // the server ended an idle session
]);
var UNAVAILABLE_SYSTEM_CODES = /* @__PURE__ */ new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
var UNAVAILABLE_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Cannot use a pool after calling end',
  'The server does not support SSL connections',
];
var TransactionAborted = class extends Error {
  name = 'TransactionAborted';
};
function codeOf(error) {
  if (typeof error !== 'object' || error === null || !('code' in error)) return void 0;
  return typeof error.code === 'string' ? error.code : void 0;
}
function* causesOf(error) {
  yield error;
  if (typeof error !== 'object' || error === null) return;
  if ('driverError' in error) yield* causesOf(error.driverError);
  if ('cause' in error) yield* causesOf(error.cause);
  if (error instanceof AggregateError) for (const inner of error.errors) yield* causesOf(inner);
}
function meansConnectionLoss(error) {
  const code = codeOf(error);
  if (error instanceof import_pg4.DatabaseError) {
    return code !== void 0 && (UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || UNAVAILABLE_STATES.has(code));
  }
  if (code !== void 0 && UNAVAILABLE_SYSTEM_CODES.has(code)) return true;
  return error instanceof Error && UNAVAILABLE_MESSAGES.some((text3) => error.message.startsWith(text3));
}
function isConnectionLoss(error) {
  for (const cause of causesOf(error)) if (meansConnectionLoss(cause)) return true;
  return false;
}
function sqlStateOf(error) {
  for (const cause of causesOf(error)) if (cause instanceof import_pg4.DatabaseError) return cause;
  return void 0;
}
function isSerializationConflict(error) {
  const code = sqlStateOf(error)?.code;
  return code === '40001' || code === '40P01';
}

// libs/persistence/src/transaction.ts
async function send(client, sql, values) {
  const query = typeof sql === 'string' ? { text: sql } : { name: sql.name, text: sql.text };
  return client.query(values === void 0 ? query : { ...query, values: [...values] });
}
var OpenTransaction = class {
  constructor(client) {
    this.client = client;
  }
  client;
  hooks = [];
  open = true;
  turn = Promise.resolve();
  pending = 0;
  async query(sql, values) {
    return (await this.inTurn(sql, values)).rows;
  }
  async execute(sql, values) {
    return (await this.inTurn(sql, values)).rowCount ?? 0;
  }
  onCommit(hook) {
    this.hooks.push(hook);
  }
  /** A reference that outlives its transaction would write outside of it, on a connection that others use by then. */
  close() {
    this.open = false;
  }
  /** Waits for statements that were started and not awaited: COMMIT must not overtake them. */
  async settle() {
    while (this.pending > 0) await this.turn;
  }
  /** One statement at a time on a connection, also when the caller starts several at once. */
  async inTurn(sql, values) {
    if (!this.open) throw new Error('the transaction is over');
    const idle = this.pending === 0;
    this.pending += 1;
    const result = idle ? send(this.client, sql, values) : this.turn.then(() => send(this.client, sql, values));
    this.turn = result.then(ignore, ignore).then(() => {
      this.pending -= 1;
    });
    return result;
  }
};
function ignore() {}
async function runTransaction(client, work) {
  const tx = new OpenTransaction(client);
  let result;
  try {
    await send(client, 'BEGIN ISOLATION LEVEL READ COMMITTED');
    result = await work(tx);
    await tx.settle();
    tx.close();
  } catch (error) {
    await tx.settle();
    tx.close();
    await rollBack(client);
    throw error;
  }
  await commit(client);
  for (const hook of tx.hooks) hook();
  return result;
}
async function commit(client) {
  let command;
  try {
    ({ command } = await send(client, 'COMMIT'));
  } catch (error) {
    await rollBack(client);
    throw error;
  }
  if (command !== 'COMMIT')
    throw new TransactionAborted('a statement of this transaction had failed; nothing was committed');
}
async function rollBack(client) {
  try {
    await send(client, 'ROLLBACK');
  } catch {
    void client.end();
  }
}

// libs/persistence/src/database.ts
async function openDatabase(options) {
  const { url, poolSize, applicationName, log, migrations: migrations2, statementTimeoutMs = 1e4 } = options;
  const source = dataSource({ url, poolSize, applicationName, statementTimeoutMs, log });
  await source.initialize();
  try {
    await refuseUnlessCurrent(source, migrations2);
  } catch (error) {
    await source.destroy();
    throw error;
  }
  return new PooledDatabase(source);
}
var PooledDatabase = class {
  constructor(dataSource2) {
    this.dataSource = dataSource2;
  }
  dataSource;
  query(sql, values) {
    return this.onConnection(async (client) => (await send(client, sql, values)).rows);
  }
  execute(sql, values) {
    return this.onConnection(async (client) => (await send(client, sql, values)).rowCount ?? 0);
  }
  transaction(work) {
    return this.onConnection((client) => runTransaction(client, work));
  }
  async ping() {
    await this.execute('select 1');
  }
  async close() {
    await this.dataSource.destroy();
  }
  async onConnection(use) {
    const runner = this.dataSource.createQueryRunner();
    try {
      return await use(await runner.connect());
    } finally {
      await runner.release();
    }
  }
};

// libs/persistence/src/dump-schema.ts
var OURS = `n.nspname = current_schema() and not exists (
  select 1 from pg_depend d where d.objid = %OID% and d.deptype = 'e')`;
var TABLES = `
  select c.oid::int as oid, c.relname as name, c.relkind::text as kind, coalesce(array_to_string(c.reloptions, ', '), '') as options,
         case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where ${OURS.replace('%OID%', 'c.oid')} and c.relkind in ('r', 'p', 'v', 'm') and c.relname not in ('${LEDGER}', '${CHECKSUMS}')
   order by c.relname`;
var FUNCTIONS = `
  select pg_get_functiondef(p.oid) as line from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where ${OURS.replace('%OID%', 'p.oid')} and p.prokind in ('f', 'p') order by p.proname, pg_get_function_identity_arguments(p.oid)`;
var TYPES = `
  select 'type ' || quote_ident(t.typname) || ' (' || string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) || ')' as line
    from pg_type t join pg_enum e on e.enumtypid = t.oid join pg_namespace n on n.oid = t.typnamespace
   where ${OURS.replace('%OID%', 't.oid')} group by t.typname order by t.typname`;

// libs/persistence/src/retry-on-conflict.ts
var import_promises2 = require('node:timers/promises');
var FIRST_PAUSE_MS = 5;
async function retryOnConflict(db, work, attempts = 5) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (attempt >= attempts || !isSerializationConflict(error)) throw error;
      await (0, import_promises2.setTimeout)(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}

// libs/persistence/src/statement.ts
var MAX_NAME_BYTES = 63;
function statement(name, text3) {
  if (name === '' || Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw new RangeError(`a statement's name has 1 to ${MAX_NAME_BYTES} bytes: ${name}`);
  }
  return { name, text: text3 };
}

// libs/runtime/src/config.ts
var import_zod19 = require('zod');
function integer({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}) {
  return import_zod19.z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(import_zod19.z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}
var commonConfig = {
  NODE_ENV: import_zod19.z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('Which kind of installation this is'),
  HOST: import_zod19.z.string().default('127.0.0.1').describe('Address that both HTTP servers listen on'),
  PORT: integer({ max: 65535 }).describe('Port of the public HTTP server'),
  PRIVATE_PORT: integer({ max: 65535 }).describe('Port of health, metrics and internal routes'),
  LOG_LEVEL: import_zod19.z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log level that is written'),
  DATABASE_URL: import_zod19.z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })
    .describe("Postgres connection of this service's own role"),
  DATABASE_POOL_SIZE: integer({ min: 1, max: 200 }).default(10).describe('Most Postgres connections of one process'),
  AMQP_URL: import_zod19.z
    .url({ protocol: /^amqps?$/, error: 'must be an amqp:// or amqps:// URL' })
    .describe('RabbitMQ connection'),
  AMQP_NAMESPACE: import_zod19.z
    .string()
    .regex(/^[A-Za-z0-9._-]{0,60}$/, 'must be letters, digits, dots, dashes and underscores')
    .default('')
    .describe('Prefix of exchange and queue names, so that several systems can share a broker'),
  SHUTDOWN_SECONDS: integer({ min: 1, max: 600 })
    .default(25)
    .describe('Longest time between SIGTERM and the end of the process'),
};

// libs/runtime/src/logger.ts
var import_api = require('@opentelemetry/api');
var import_pino = require('pino');

// libs/runtime/src/redact.ts
var SECRET_NAMES = new Set(
  [
    'message',
    'text',
    'rawText',
    'body',
    'rawBody',
    'sender',
    'authorization',
    'proxyAuthorization',
    'cookie',
    'setCookie',
  ].map(fold),
);
var SECRET_ENDINGS = ['apikey', 'devicekey', 'msisdn', 'trxid', 'secret', 'password', 'token', 'hookid'];
var DEEPEST = 6;
var REDACTED = '[redacted]';
function fold(name) {
  return name.toLowerCase().replace(/[-_]/g, '');
}
var known = /* @__PURE__ */ new Map();
function isSecret(name) {
  let answer = known.get(name);
  if (answer === void 0) {
    const folded = fold(name);
    answer = SECRET_NAMES.has(folded) || SECRET_ENDINGS.some((ending) => folded.endsWith(ending));
    if (known.size < 2e3) known.set(name, answer);
  }
  return answer;
}
function redact(fields) {
  return redactRecord(fields, 0);
}
function redactRecord(fields, depth) {
  let copy;
  for (const name in fields) {
    const value = fields[name];
    if (value === null || value === void 0 || typeof value === 'boolean') continue;
    const clean = isSecret(name) ? REDACTED : typeof value === 'object' ? redactValue(value, depth + 1) : value;
    if (clean !== value) (copy ??= { ...fields })[name] = clean;
  }
  return copy ?? fields;
}
function redactValue(value, depth) {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error) return depth === 1 ? value : describeError(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > DEEPEST) return '[too deep]';
  if (Array.isArray(value)) {
    const clean = value.map((item) => redactValue(item, depth + 1));
    return clean.some((item, index) => item !== value[index]) ? clean : value;
  }
  return redactRecord(value, depth);
}
var PHONE_NUMBER = /(?<!\d)(?:\+?88)?01[3-9]\d{8}(?!\d)/g;
var CREDENTIAL = /\b[sd]k_(?:test|live)_\w+/g;
var USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi;
var POSSIBLE = /[\d@]|k_/;
function scrub(text3) {
  if (!POSSIBLE.test(text3)) return text3;
  return text3.replace(PHONE_NUMBER, REDACTED).replace(CREDENTIAL, REDACTED).replace(USER_INFO, '$1');
}
function describeError(error, depth = 0) {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)) };
  const code = 'code' in error ? error.code : void 0;
  const constraint = 'constraint' in error ? error.constraint : void 0;
  return {
    type: error.name,
    message: scrub(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(error.stack === void 0 ? {} : { stack: scrub(error.stack) }),
    ...(error.cause === void 0 || depth >= 4 ? {} : { cause: describeError(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && depth < 4
      ? { errors: error.errors.slice(0, 5).map((one) => describeError(one, depth + 1)) }
      : {}),
  };
}

// libs/runtime/src/logger.ts
function createLogger({ service, level, destination }) {
  const logger = (0, import_pino.pino)(
    {
      level,
      base: { service },
      timestamp: import_pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      // pino takes an error's text for the line's own when there is no other.
      serializers: { err: (error) => describeError(error), msg: scrub },
      mixin: traceFields,
    },
    // Synchronous writes cost what asynchronous ones do (6 us a line) and, unlike them, lose and swap nothing when a process ends.
    destination ?? (0, import_pino.destination)({ dest: 1, sync: true }),
  );
  const makeChild = Reflect.get(logger, 'child');
  Object.defineProperty(logger, 'child', {
    value(bindings, options) {
      return Reflect.apply(makeChild, this, [redact(bindings), options]);
    },
  });
  return logger;
}
function traceFields() {
  const context3 = import_api.trace.getActiveSpan()?.spanContext();
  return context3 && (0, import_api.isSpanContextValid)(context3)
    ? { trace_id: context3.traceId, span_id: context3.spanId }
    : {};
}

// libs/runtime/src/metrics.ts
var import_prom_client = require('prom-client');
function createMetrics(service) {
  const registry = new import_prom_client.Registry();
  registry.setDefaultLabels({ service });
  (0, import_prom_client.collectDefaultMetrics)({ register: registry });
  function existing(kind, name) {
    const metric = registry.getSingleMetric(name);
    if (metric === void 0) return void 0;
    if (metric instanceof kind) return metric;
    throw new TypeError(`the metric ${name} exists and is of another kind`);
  }
  return {
    registry,
    counter({ name, help, labels = [] }) {
      return (
        existing(import_prom_client.Counter, name) ??
        new import_prom_client.Counter({ name, help, labelNames: labels, registers: [registry] })
      );
    },
    histogram({ name, help, labels = [], buckets }) {
      const more = buckets ? { buckets: [...buckets] } : {};
      return (
        existing(import_prom_client.Histogram, name) ??
        new import_prom_client.Histogram({ name, help, labelNames: labels, registers: [registry], ...more })
      );
    },
    gauge({ name, help, labels = [], collect }) {
      const gauge =
        existing(import_prom_client.Gauge, name) ??
        new import_prom_client.Gauge({
          name,
          help,
          labelNames: labels,
          registers: [registry],
          ...(collect && {
            collect() {
              return collect.call(this, this);
            },
          }),
        });
      return gauge;
    },
  };
}

// libs/runtime/src/tracing.ts
var import_api2 = require('@opentelemetry/api');
var tracer = import_api2.trace.getTracer('@pay/runtime');

// libs/runtime/src/every.ts
var import_promises3 = require('node:timers/promises');
function every(name, intervalMs, task, { log, jitter = 0.1 }) {
  return {
    name,
    async run(signal) {
      const stopped = () => signal.aborted;
      while (!stopped()) {
        try {
          await task(signal);
        } catch (error) {
          if (!stopped()) log.error({ task: name, err: error }, 'task.failed');
        }
        const spread = 1 + jitter * (2 * Math.random() - 1);
        await (0, import_promises3.setTimeout)(intervalMs * spread, void 0, { signal }).catch(() => void 0);
      }
    },
  };
}

// libs/runtime/src/failpoint.ts
function failpoint(name) {
  if (false) return strike(name);
}

// libs/messaging/test/fixture.ts
var import_uuidv72 = require('uuidv7');

// libs/messaging/src/draft.ts
var import_uuidv7 = require('uuidv7');
function draft(type, input) {
  const { environment, merchantId, aggregateId, sequence, occurredAt } = input;
  const data = EVENTS[type].data.parse(input.data);
  const unknown = droppedField(input.data, data);
  if (unknown !== void 0) throw new TypeError(`${type} has no field ${unknown}`);
  return {
    id: input.id ?? (0, import_uuidv7.uuidv7)(),
    type,
    version: EVENTS[type].version,
    occurredAt: typeof occurredAt === 'string' ? occurredAt : occurredAt.toISOString(),
    environment,
    merchantId,
    aggregateId,
    sequence,
    data,
  };
}
function droppedField(given, kept, path = '') {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return void 0;
  const known2 = new Map(Object.entries(kept));
  for (const [key, value] of Object.entries(given)) {
    if (value === void 0) continue;
    const here = path === '' ? key : `${path}.${key}`;
    if (!known2.has(key)) return here;
    const inner = droppedField(value, known2.get(key), here);
    if (inner !== void 0) return inner;
  }
  return void 0;
}

// libs/messaging/src/errors.ts
var PermanentError = class extends Error {
  name = 'PermanentError';
};
var BrokerUnavailable = class extends Error {
  name = 'BrokerUnavailable';
};
var Unroutable = class extends Error {
  name = 'Unroutable';
};
var DIGITS = /\d{5,}/g;
var IDENTIFIERS = /\b(?=[A-Z]*\d)[A-Z0-9]{6,}\b/g;
var LONGEST_REASON = 300;
function reasonOf(error) {
  const text3 = error instanceof Error ? `${error.name}: ${error.message}` : 'an error that is not an Error';
  return text3.replace(DIGITS, '\u2026').replace(IDENTIFIERS, '\u2026').slice(0, LONGEST_REASON);
}

// libs/messaging/src/connection.ts
var import_node_events = require('node:events');
var import_amqplib = require('amqplib');
var HEARTBEAT_SECONDS = 10;
var CONNECT_TIMEOUT_MS2 = 1e4;
var CLOSE_TIMEOUT_MS = 3e3;
var BrokerConnection = class _BrokerConnection extends import_node_events.EventEmitter {
  constructor(options) {
    super();
    this.options = options;
    this.setMaxListeners(0);
  }
  options;
  recovering;
  model;
  blockedNow = false;
  closing = false;
  /** Starts connecting and returns at once: a broker that is away must not keep a service from starting. */
  static async open(options) {
    const connection = new _BrokerConnection(options);
    await connection.start();
    return connection;
  }
  get isUp() {
    return this.model !== void 0;
  }
  get isBlocked() {
    return this.blockedNow;
  }
  async channel() {
    return this.quiet(await this.current().createChannel());
  }
  async confirmChannel() {
    return this.quiet(await this.current().createConfirmChannel());
  }
  /** Resolves when connected; rejects when the signal aborts first. */
  async untilUp(signal) {
    while (!this.isUp) await (0, import_node_events.once)(this, 'up', { signal });
  }
  async close() {
    this.closing = true;
    const closed = this.recovering?.close();
    let timer;
    const timeout2 = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
    await Promise.race([closed, timeout2]).catch(() => void 0);
    clearTimeout(timer);
    this.lost();
  }
  async start() {
    const { url, purpose, service, log } = this.options;
    const address = new URL(url);
    if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
    this.recovering = await (0, import_amqplib.connect)(address.toString(), {
      noDelay: true,
      keepAlive: true,
      timeout: CONNECT_TIMEOUT_MS2,
      clientProperties: { connection_name: `${service} ${purpose}` },
      recovery: {
        initialDelay: 200,
        maxDelay: 5e3,
        maxRetries: Infinity,
        waitForConnect: false,
        // Listeners of the recovering connection are bound only after setup: an error during it would have no listener and end the process.
        setup: (model) => {
          this.listenForErrors(model, 'connection');
          return Promise.resolve();
        },
      },
    });
    const recovering = this.recovering;
    this.listenForErrors(recovering, 'connection');
    recovering.on('connect', (model) => this.connected(model));
    recovering.on('disconnect', (error) => {
      if (!this.closing) log.warn({ connection: purpose, reason: error.message }, 'broker.disconnected');
      this.lost();
    });
    recovering.on('connect-failed', (error) =>
      log.warn({ connection: purpose, reason: error.message }, 'broker.connect_failed'),
    );
    recovering.on('blocked', (reason) => {
      log.warn({ connection: purpose, reason }, 'broker.blocked');
      this.setBlocked(true);
    });
    recovering.on('unblocked', () => {
      log.info({ connection: purpose }, 'broker.unblocked');
      this.setBlocked(false);
    });
  }
  connected(model) {
    this.model = model;
    this.options.metrics.connectionUp.set({ connection: this.options.purpose }, 1);
    this.setBlocked(false);
    this.options.log.info({ connection: this.options.purpose }, 'broker.connected');
    this.emit('up');
  }
  lost() {
    if (this.model === void 0) return;
    this.model = void 0;
    this.options.metrics.connectionUp.set({ connection: this.options.purpose }, 0);
    this.setBlocked(false);
    this.emit('down');
  }
  setBlocked(blocked) {
    const changed = blocked !== this.blockedNow;
    this.blockedNow = blocked;
    this.options.metrics.connectionBlocked.set({ connection: this.options.purpose }, blocked ? 1 : 0);
    if (changed) this.emit(blocked ? 'blocked' : 'unblocked');
  }
  current() {
    if (this.model === void 0) throw new BrokerUnavailable('not connected to the broker');
    return this.model;
  }
  quiet(channel) {
    this.listenForErrors(channel, 'channel');
    return channel;
  }
  /** An `error` event without a listener ends the process. What follows is always a `close`, which is what callers act on. */
  listenForErrors(emitter, what) {
    const { purpose, log } = this.options;
    emitter.on('error', (error) => log.debug({ connection: purpose, what, reason: error.message }, 'broker.error'));
    emitter.on('handler-error', (error) =>
      log.error({ connection: purpose, what, err: error }, 'broker.listener_failed'),
    );
  }
};
async function closeQuietly(channel) {
  try {
    await channel?.close();
  } catch {}
}

// libs/messaging/src/broadcast.ts
var QUEUE = { exclusive: true, autoDelete: true, durable: false, messageTtl: 1e4, maxLength: 1e4 };
var Broadcaster = class {
  constructor(deps) {
    this.deps = deps;
    deps.publishing.on('up', () => void this.openOutgoing());
    deps.consuming.on('up', () => void this.openIncoming());
    if (deps.publishing.isUp) void this.openOutgoing();
  }
  deps;
  listeners = /* @__PURE__ */ new Map();
  outgoing;
  incoming;
  queue;
  closed = false;
  send(topic, payload = '') {
    if (this.outgoing === void 0 || this.deps.publishing.isBlocked) return;
    try {
      this.outgoing.publish(this.deps.names.broadcast, topic, Buffer.from(payload));
    } catch {}
  }
  on(topic, listener) {
    const known2 = this.listeners.get(topic);
    this.listeners.set(topic, [...(known2 ?? []), listener]);
    if (this.incoming === void 0) void this.openIncoming();
    else if (known2 === void 0) void this.bind(this.incoming, [topic]);
  }
  async close() {
    this.closed = true;
    await closeQuietly(this.outgoing);
    await closeQuietly(this.incoming);
  }
  async openOutgoing() {
    await this.quietly(async () => {
      const channel = await this.deps.publishing.channel();
      channel.on('close', () => {
        this.outgoing = void 0;
        if (this.deps.publishing.isUp && !this.closed) void this.openOutgoing();
      });
      await channel.assertExchange(this.deps.names.broadcast, 'topic', { durable: true });
      this.outgoing = channel;
    });
  }
  async openIncoming() {
    if (this.listeners.size === 0 || !this.deps.consuming.isUp || this.incoming !== void 0) return;
    await this.quietly(async () => {
      const channel = await this.deps.consuming.channel();
      this.incoming = channel;
      channel.on('close', () => {
        this.incoming = void 0;
        this.queue = void 0;
        if (this.deps.consuming.isUp && !this.closed) void this.openIncoming();
      });
      await channel.assertExchange(this.deps.names.broadcast, 'topic', { durable: true });
      this.queue = (await channel.assertQueue('', QUEUE)).queue;
      await this.bind(channel, [...this.listeners.keys()]);
      await channel.consume(this.queue, (message) => message && this.hear(message.fields.routingKey, message.content), {
        noAck: true,
      });
    });
  }
  async bind(channel, topics) {
    const { queue } = this;
    if (queue === void 0) return;
    await this.quietly(async () => {
      for (const topic of topics) await channel.bindQueue(queue, this.deps.names.broadcast, topic);
    });
  }
  hear(topic, content) {
    for (const listener of this.listeners.get(topic) ?? []) {
      try {
        listener(content.toString());
      } catch (error) {
        this.deps.log.error({ topic, err: error }, 'broadcast.listener_failed');
      }
    }
  }
  async quietly(work) {
    try {
      await work();
    } catch (error) {
      if (!this.closed) this.deps.log.debug({ err: error }, 'broadcast.failed');
    }
  }
};

// libs/messaging/src/consumer.ts
var import_promises5 = require('node:timers/promises');

// libs/messaging/src/timings.ts
var TIMINGS = {
  retryMs: { '5s': 5e3, '30s': 3e4, '5m': 3e5 },
  sweepEveryMs: 500,
  staleAfterMs: 2e3,
  claimMs: 1e4,
  markLingerMs: 50,
  confirmTimeoutMs: 15e3,
  returnedFirstWaitMs: 1e3,
  replayEveryMs: 1e3,
  cleanEveryMs: 6e4,
  handBackAfterMs: 15e3,
  watchdogMs: 3e4,
};
var REPLAY_WINDOW_DAYS = 7;
var INBOX_DAYS = 14;

// libs/messaging/src/topology.ts
var MATCHES = EVENT_TYPES.filter((type) => type.startsWith('match.'));
var INTENTS = EVENT_TYPES.filter((type) => type.startsWith('intent.'));
var CONTROL = ['messaging.replay_requested', 'directory.resend_completed'];
var TOPOLOGY = {
  'intent-api.events': MATCHES,
  'intent-api.control': [...CONTROL, 'merchant.changed', 'api_key.changed', 'receiver_account.changed'],
  'checkout-api.events': [...INTENTS, 'claim.waiting', 'claim.settled'],
  'checkout-api.control': [...CONTROL, 'merchant.changed', 'receiver_account.changed'],
  'sms-ingest.events': MATCHES,
  'sms-ingest.control': [...CONTROL, 'merchant.changed', 'receiver_account.changed', 'device.changed'],
  'reconciler.events': ['intent.created', 'intent.method_selected', 'sms.parsed', 'sms.unparsed', 'claim.submitted'],
  'reconciler.control': [...CONTROL, 'merchant.changed', 'receiver_account.changed'],
  'webhook-dispatcher.events': ['intent.paid', 'intent.review_required', 'intent.expired', 'intent.rejected'],
  'webhook-dispatcher.control': [...CONTROL, 'merchant.changed', 'api_key.changed'],
  'dashboard-api.control': ['messaging.replay_requested', 'directory.resend_requested'],
};
var QUEUES = Object.keys(TOPOLOGY);
function isQueueName(queue) {
  return Object.hasOwn(TOPOLOGY, queue);
}
function typesOf(queue) {
  return TOPOLOGY[queue];
}
var RETRY_STEPS = ['5s', '30s', '5m'];
function namesIn(namespace) {
  return {
    events: `${namespace}pay.events`,
    broadcast: `${namespace}pay.broadcast`,
    work: (queue) => `${namespace}${queue}`,
    retry: (queue, step) => `${namespace}${queue}.retry.${step}`,
    parked: (queue) => `${namespace}${queue}.parked`,
  };
}

// libs/messaging/src/declare-topology.ts
var DELIVERY_LIMIT = 50;
var NO_DELIVERY_LIMIT = 1e6;
var PARALLEL_CHANNELS = 6;
var DAY_MS = 864e5;
var START_REPAIR = statement(
  'messaging-start-repair',
  'insert into queue_repairs (queue) select unnest($1::text[]) on conflict do nothing',
);
var OPEN_REPAIRS = statement('messaging-open-repairs', 'select queue from queue_repairs');
var END_REPAIR = statement('messaging-end-repair', 'delete from queue_repairs where queue = any($1::text[])');
var Topology = class {
  constructor(deps) {
    this.deps = deps;
  }
  deps;
  running;
  once = false;
  /** Whether the table has been asserted since this process started. */
  get wasAsserted() {
    return this.once;
  }
  /** Asserts the whole table. Callers that ask at the same time share one run. */
  assert() {
    this.running ??= this.run().finally(() => {
      this.running = void 0;
    });
    return this.running;
  }
  async run() {
    const { db, log, metrics } = this.deps;
    const missing = await this.missingQueues();
    if (missing.length > 0) await db.execute(START_REPAIR, [missing]);
    await this.declareAll();
    const repaired = (await db.query(OPEN_REPAIRS)).map((row) => row.queue);
    if (repaired.length > 0) {
      await this.requestReplays(repaired);
      log.warn({ queues: repaired }, 'broker.queues_made');
      for (const queue of repaired) metrics.repaired.inc({ queue });
    }
    this.once = true;
  }
  async missingQueues() {
    const found = await this.inParallel(QUEUES, async (queue) => ((await this.isComplete(queue)) ? void 0 : queue));
    return found.filter((queue) => queue !== void 0);
  }
  /** A work queue with its retry and parked queues: whichever of them was lost, messages may have been lost with it. */
  async isComplete(queue) {
    const { names } = this.deps;
    const all = [names.work(queue), ...RETRY_STEPS.map((step) => names.retry(queue, step)), names.parked(queue)];
    return queuesExist(this.deps.connection, all);
  }
  async declareAll() {
    const { connection, names } = this.deps;
    const channel = await connection.channel();
    await channel.assertExchange(names.events, 'topic', { durable: true });
    await channel.assertExchange(names.broadcast, 'topic', { durable: true });
    await closeQuietly(channel);
    await this.inParallel(QUEUES, async (queue) => {
      const own = await connection.channel();
      await this.declare(own, queue);
      await closeQuietly(own);
    });
  }
  async declare(channel, queue) {
    const { names, timings } = this.deps;
    const parked = names.parked(queue);
    await channel.assertQueue(parked, quorum(NO_DELIVERY_LIMIT));
    for (const step of RETRY_STEPS) {
      const waiting = { ...quorum(DELIVERY_LIMIT, names.work(queue)), messageTtl: timings.retryMs[step] };
      await channel.assertQueue(names.retry(queue, step), waiting);
    }
    await channel.assertQueue(names.work(queue), quorum(DELIVERY_LIMIT, parked));
    await Promise.all(typesOf(queue).map((type) => channel.bindQueue(names.work(queue), names.events, `${type}.*`)));
  }
  async requestReplays(queues) {
    const now = Date.now();
    const requests = queues.map((queue) =>
      draft('messaging.replay_requested', {
        environment: null,
        merchantId: null,
        aggregateId: queue,
        sequence: 0,
        occurredAt: new Date(now),
        data: { queue, types: [...typesOf(queue)], since: new Date(now - REPLAY_WINDOW_DAYS * DAY_MS).toISOString() },
      }),
    );
    await this.deps.db.transaction(async (tx) => {
      await this.deps.publish(tx, requests);
      await tx.execute(END_REPAIR, [queues]);
    });
  }
  async inParallel(items, work) {
    const results = [];
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]);
    };
    await Promise.all(Array.from({ length: PARALLEL_CHANNELS }, lane));
    return results;
  }
};
async function queuesExist(connection, queues) {
  const channel = await connection.channel();
  try {
    for (const queue of queues) await channel.checkQueue(queue);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  } finally {
    await closeQuietly(channel);
  }
}
function isNotFound(error) {
  return error instanceof Error && 'code' in error && error.code === 404;
}
function quorum(deliveryLimit, deadLetterQueue) {
  return {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': deliveryLimit,
      'x-overflow': 'reject-publish',
      ...(deadLetterQueue === void 0
        ? {}
        : {
            'x-dead-letter-exchange': '',
            'x-dead-letter-routing-key': deadLetterQueue,
            'x-dead-letter-strategy': 'at-least-once',
          }),
    },
  };
}

// libs/messaging/src/delivery.ts
var HEADERS = {
  tries: 'x-tries',
  firstSeen: 'x-first-seen',
  parkedAt: 'x-parked-at',
  reason: 'x-reason',
  originalRoutingKey: 'x-original-routing-key',
};
function readDelivery(message, now) {
  const headers = message.properties.headers ?? {};
  const content = decode(message);
  return {
    message,
    content,
    id: 'event' in content ? content.event.id : (text2(message.properties.messageId) ?? 'unknown'),
    tries: count(headers[HEADERS.tries]),
    firstSeen: text2(headers[HEADERS.firstSeen]) ?? now.toISOString(),
    originalRoutingKey: text2(headers[HEADERS.originalRoutingKey]) ?? message.fields.routingKey,
    timesReturned: count(headers['x-delivery-count']),
  };
}
function decode(message) {
  try {
    return { event: decodeEvent(message.content) };
  } catch (error) {
    if (error instanceof ContractViolation) return { violation: error.message };
    return { violation: 'the body could not be read' };
  }
}
function count(value) {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
function text2(value) {
  return typeof value === 'string' && value !== '' ? value : void 0;
}
var ROUNDS = ['5s', '5s', '30s', '30s', '5m', '5m', '5m', '5m'];
function nextRound(tries) {
  return ROUNDS[tries];
}
var SUSPECT_AFTER_RETURNS = 5;
var MOST_DEATHS_ALONE = 5;

// libs/messaging/src/session.ts
var Session = class _Session {
  constructor(channel, queue) {
    this.channel = channel;
    this.queue = queue;
  }
  channel;
  queue;
  end;
  buffer = [];
  wake = () => void 0;
  consumerTag = '';
  static async open(connection, queue, prefetch) {
    const channel = await connection.channel();
    const session = new _Session(channel, queue);
    channel.on('close', () => session.finish('closed'));
    try {
      await session.consume(prefetch);
    } catch (error) {
      await closeQuietly(channel);
      throw error;
    }
    return session;
  }
  /** Waits for messages and takes what is there, at most `most`. Nothing when the session is over or the signal aborts. */
  async take(most, signal) {
    if (this.buffer.length === 0 && this.end === void 0 && !signal.aborted) {
      await new Promise((resolve) => {
        this.wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    if (this.end !== void 0 || signal.aborted) return [];
    return this.buffer.splice(0, most);
  }
  /** Acknowledges this message and everything delivered before it. */
  acknowledgeUpTo(message) {
    try {
      this.channel.ack(message, true);
    } catch {
      this.finish('closed');
    }
  }
  /** Goes on with another prefetch. Nothing is returned to the queue by this. */
  async changePrefetch(prefetch) {
    await this.channel.cancel(this.consumerTag);
    await this.consume(prefetch);
  }
  async close() {
    this.finish('closed');
    await closeQuietly(this.channel);
  }
  async consume(prefetch) {
    await this.channel.prefetch(prefetch);
    const { consumerTag } = await this.channel.consume(this.queue, (message) => {
      if (message === null) {
        this.finish('cancelled');
        return;
      }
      this.buffer.push(message);
      this.wake();
    });
    this.consumerTag = consumerTag;
  }
  finish(end) {
    this.end ??= end;
    this.buffer = [];
    this.wake();
  }
};

// libs/messaging/src/aside.ts
async function setAside(deps, delivery, step, reason) {
  const { publisher, names, queue, log } = deps;
  await publisher.confirmed(
    copyOf(delivery, names.retry(queue, step), { [HEADERS.tries]: delivery.tries + 1, [HEADERS.reason]: reason }),
  );
  log.info({ queue, messageId: delivery.id, round: delivery.tries + 1, step, reason }, 'message.set_aside');
}
async function park(deps, delivery, { kind, reason, now }) {
  const { publisher, names, queue, log, metrics } = deps;
  await publisher.confirmed(
    copyOf(delivery, names.parked(queue), {
      [HEADERS.tries]: delivery.tries,
      [HEADERS.reason]: reason,
      [HEADERS.parkedAt]: now.toISOString(),
    }),
  );
  metrics.parked.inc({ queue, reason: kind });
  log.error({ queue, messageId: delivery.id, kind, reason }, 'message.parked');
}
function copyOf(delivery, routingKey2, headers) {
  const { content, properties } = delivery.message;
  return {
    exchange: '',
    routingKey: routingKey2,
    id: typeof properties.messageId === 'string' ? properties.messageId : delivery.id,
    type: typeof properties.type === 'string' ? properties.type : void 0,
    body: content,
    headers: {
      [HEADERS.firstSeen]: delivery.firstSeen,
      [HEADERS.originalRoutingKey]: delivery.originalRoutingKey,
      ...headers,
    },
  };
}

// libs/messaging/src/inbox.ts
var TAKE = statement(
  'inbox-take',
  `insert into inbox (consumer, message_id) select $1, id from unnest($2::uuid[]) as id order by id
   on conflict do nothing returning message_id`,
);
var LEAVE = statement('inbox-leave', 'delete from inbox where consumer = $1 and message_id = any($2::uuid[])');
var BEGIN_ALONE = statement(
  'inbox-begin-alone',
  `insert into inbox_suspects (consumer, message_id, begun) values ($1, $2, 1)
   on conflict (consumer, message_id) do update set begun = inbox_suspects.begun + 1, begun_at = now()
   returning begun`,
);
var END_ALONE = statement('inbox-end-alone', 'delete from inbox_suspects where consumer = $1 and message_id = $2');
async function takeNew(tx, consumer, ids) {
  const rows2 = await tx.query(TAKE, [consumer, ids]);
  return new Set(rows2.map((row) => row.message_id));
}
async function leaveForLater(tx, consumer, ids) {
  await tx.execute(LEAVE, [consumer, ids]);
}
async function beginAlone(db, consumer, id) {
  const [row] = await db.query(BEGIN_ALONE, [consumer, id]);
  return row?.begun ?? 1;
}
async function endAlone(db, consumer, id) {
  await db.execute(END_ALONE, [consumer, id]);
}

// libs/messaging/src/tracing.ts
var import_api3 = require('@opentelemetry/api');
var TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
function currentTraceparent() {
  const span = import_api3.trace.getSpanContext(import_api3.context.active());
  if (span === void 0 || !(0, import_api3.isSpanContextValid)(span)) return void 0;
  return `00-${span.traceId}-${span.spanId}-${(span.traceFlags & import_api3.TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}
function parseTraceparent(traceparent) {
  const parts = TRACEPARENT.exec(traceparent ?? '');
  if (parts?.[1] === void 0 || parts[2] === void 0 || parts[3] === void 0) return void 0;
  const span = { traceId: parts[1], spanId: parts[2], traceFlags: Number.parseInt(parts[3], 16) & 1, isRemote: true };
  return (0, import_api3.isSpanContextValid)(span) ? span : void 0;
}
function inConsumerSpan(queue, events, work) {
  const causes = events.map((event) => parseTraceparent(event.traceparent)).filter((span) => span !== void 0);
  const [only] = causes;
  const parent =
    events.length === 1 && only !== void 0
      ? import_api3.trace.setSpanContext(import_api3.ROOT_CONTEXT, only)
      : import_api3.ROOT_CONTEXT;
  const links = events.length === 1 ? [] : causes.map((span) => ({ context: span }));
  const attributes = {
    'messaging.system': 'rabbitmq',
    'messaging.operation.type': 'process',
    'messaging.destination.name': queue,
    'messaging.batch.message_count': events.length,
  };
  const options = { kind: import_api3.SpanKind.CONSUMER, links, attributes };
  return import_api3.trace
    .getTracer('@pay/messaging')
    .startActiveSpan(`process ${queue}`, options, parent, async (span) => {
      try {
        return await work();
      } catch (error) {
        span.setStatus({ code: import_api3.SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
}

// libs/messaging/src/batch.ts
async function handleBatch(deps, batch) {
  if (batch.length === 0) return { notYet: [], failed: [] };
  try {
    return { notYet: await handleTogether(deps, batch), failed: [] };
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    const [only] = batch;
    if (only !== void 0 && batch.length === 1) return { notYet: [], failed: [{ readable: only, error }] };
    const middle = Math.ceil(batch.length / 2);
    const first = await handleBatch(deps, batch.slice(0, middle));
    const second = await handleBatch(deps, batch.slice(middle));
    return { notYet: [...first.notYet, ...second.notYet], failed: [...first.failed, ...second.failed] };
  }
}
async function handleTogether(deps, batch) {
  const { db, queue, handle, metrics } = deps;
  const byId = /* @__PURE__ */ new Map();
  for (const readable of batch) if (!byId.has(readable.event.id)) byId.set(readable.event.id, readable);
  const begun = performance.now();
  const { fresh, notYet } = await inConsumerSpan(
    queue,
    [...byId.values()].map((readable) => readable.event),
    () =>
      retryOnConflict(db, async (tx) => {
        const taken = await takeNew(tx, queue, [...byId.keys()]);
        const events = [...byId.values()]
          .filter((readable) => taken.has(readable.event.id))
          .map((readable) => readable.event);
        if (events.length === 0) return { fresh: 0, notYet: [] };
        const early = (await handle(tx, events))?.notYet ?? [];
        if (early.length > 0) await leaveForLater(tx, queue, early);
        await failpoint('consumer.before-commit');
        return { fresh: events.length, notYet: early };
      }),
  );
  await failpoint('consumer.after-commit-before-ack');
  metrics.batchSize.observe({ queue }, batch.length);
  metrics.batchSeconds.observe({ queue }, (performance.now() - begun) / 1e3);
  metrics.consumed.inc({ queue, outcome: 'duplicate' }, batch.length - fresh);
  metrics.consumed.inc({ queue, outcome: 'handled' }, fresh - notYet.length);
  metrics.consumed.inc({ queue, outcome: 'not_yet' }, notYet.length);
  return notYet.map((id) => byId.get(id)).filter((readable) => readable !== void 0);
}

// libs/messaging/src/settle.ts
var NOT_YET = 'waits for an earlier event';
function settle(deps, group) {
  const gone = /* @__PURE__ */ new Set();
  async function once2(delivery, move) {
    if (gone.has(delivery)) return;
    await move();
    gone.add(delivery);
  }
  return async () => {
    const readable = [];
    for (const delivery of group) {
      if (gone.has(delivery)) continue;
      const { content } = delivery;
      if ('event' in content) readable.push({ delivery, event: content.event });
      else await once2(delivery, () => parkWith(deps, delivery, 'contract', content.violation));
    }
    const { notYet, failed } = await handleBatch(deps, readable);
    for (const { delivery } of notYet) await once2(delivery, () => laterOrPark(deps, delivery, NOT_YET));
    for (const { readable: one, error } of failed) {
      await once2(one.delivery, () =>
        error instanceof PermanentError
          ? parkWith(deps, one.delivery, 'permanent', error.message)
          : laterOrPark(deps, one.delivery, reasonOf(error), error),
      );
    }
  };
}
function settleSuspect(deps, delivery) {
  const { db, queue } = deps;
  const settleAlone = settle(deps, [delivery]);
  let begun;
  return async () => {
    begun ??= await beginAlone(db, queue, delivery.id);
    if (begun > MOST_DEATHS_ALONE)
      await parkWith(deps, delivery, 'crash_loop', 'the process ended whenever it was handled');
    else await settleAlone();
    await endAlone(db, queue, delivery.id);
  };
}
async function laterOrPark(deps, delivery, reason, error) {
  const step = nextRound(delivery.tries);
  if (step === void 0) return parkWith(deps, delivery, 'tries', reason);
  if (error !== void 0) deps.log.warn({ queue: deps.queue, messageId: delivery.id, err: error }, 'message.failed');
  await setAside(deps, delivery, step, reason);
  if (error !== void 0) deps.metrics.consumed.inc({ queue: deps.queue, outcome: 'retried' });
}
async function parkWith(deps, delivery, kind, reason) {
  await park(deps, delivery, { kind, reason, now: /* @__PURE__ */ new Date() });
  deps.metrics.consumed.inc({ queue: deps.queue, outcome: 'parked' });
}

// libs/messaging/src/with-patience.ts
var import_promises4 = require('node:timers/promises');
var FIRST_WAIT_MS = 100;
var LONGEST_WAIT_MS = 5e3;
async function withPatience(patience, work) {
  const { log, queue, isOver } = patience;
  let databaseSilentSince;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      await work();
      if (wait > FIRST_WAIT_MS) log.info({ queue }, 'consumer.resumed');
      return true;
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (wait === FIRST_WAIT_MS) log.warn({ queue, err: error }, 'consumer.paused');
      if (error instanceof Unroutable) await patience.repairTopology().catch(() => void 0);
    }
    for (let answered = false; !answered;) {
      await pause(wait, isOver);
      if (isOver()) return false;
      answered = await answers(patience.db);
      databaseSilentSince = answered ? void 0 : (databaseSilentSince ?? performance.now());
      if (databaseSilentSince !== void 0 && performance.now() - databaseSilentSince > patience.handBackAfterMs)
        return false;
      if (!answered) wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }
}
function isOutage(error) {
  return isConnectionLoss(error) || error instanceof BrokerUnavailable || error instanceof Unroutable;
}
async function answers(db) {
  return db.ping().then(
    () => true,
    () => false,
  );
}
var SLICE_MS = 100;
async function pause(ms, isOver) {
  for (let rest = ms; rest > 0 && !isOver(); rest -= SLICE_MS)
    await (0, import_promises4.setTimeout)(Math.min(rest, SLICE_MS));
}

// libs/messaging/src/consumer.ts
var FIRST_REOPEN_MS = 100;
var LONGEST_REOPEN_MS = 5e3;
var Consumer = class {
  constructor(deps) {
    this.deps = deps;
    this.name = `consumer ${deps.queue}`;
    this.needsTopology = !deps.topology.wasAsserted;
  }
  deps;
  name;
  session;
  /** Waiting for the database without a channel is in order and not the watchdog's business. */
  waitsForDatabase = false;
  needsTopology;
  async run(signal) {
    const consuming = this.consumeUntil(signal);
    await Promise.race([consuming, this.watch(signal, consuming)]);
    await consuming;
  }
  async consumeUntil(signal) {
    const { connection, log, queue, metrics } = this.deps;
    let wait = FIRST_REOPEN_MS;
    while (!signal.aborted) {
      try {
        await connection.untilUp(signal);
        this.session = await this.open();
        metrics.consumerUp.set({ queue }, 1);
        wait = FIRST_REOPEN_MS;
        await this.work(this.session, signal);
      } catch (error) {
        if (isStopping(signal)) break;
        if (isNotFound(error)) this.needsTopology = true;
        log.warn({ queue, err: error }, 'consumer.interrupted');
        await (0, import_promises5.setTimeout)(wait, void 0, { signal }).catch(() => void 0);
        wait = Math.min(wait * 2, LONGEST_REOPEN_MS);
      } finally {
        metrics.consumerUp.set({ queue }, 0);
        await this.session?.close();
        this.session = void 0;
      }
      await this.untilDatabaseAnswers(signal);
    }
  }
  /** Begins with one message at a time: what the process has died of before stands at the head of the queue. */
  async open() {
    const { topology, connection, names, queue } = this.deps;
    if (this.needsTopology) await topology.assert();
    this.needsTopology = false;
    return Session.open(connection, names.work(queue), 1);
  }
  async work(session, signal) {
    const { batchSize, log, queue } = this.deps;
    let alone = true;
    for (;;) {
      const messages = await session.take(batchSize, signal);
      if (messages.length === 0) break;
      const deliveries = messages.map((message) => readDelivery(message, /* @__PURE__ */ new Date()));
      for (const group of groups(deliveries)) {
        if (!(await this.settleGroup(session, group, signal))) return;
      }
      if (alone && !deliveries.some(isSuspect)) {
        await session.changePrefetch(2 * batchSize);
        alone = false;
      }
    }
    if (session.end === void 0) return;
    if (session.end === 'cancelled') this.needsTopology = true;
    log.warn({ queue, end: session.end }, 'consumer.session_ended');
  }
  /** False when the messages are no longer ours to acknowledge. */
  async settleGroup(session, group, signal) {
    const { db, topology, timings, log, queue } = this.deps;
    const deps = this.deps;
    const [first] = group;
    const last = group.at(-1);
    if (first === void 0 || last === void 0) return true;
    const settled = await withPatience(
      {
        db,
        log,
        queue,
        repairTopology: () => topology.assert(),
        handBackAfterMs: timings.handBackAfterMs,
        isOver: () => session.end !== void 0 || signal.aborted,
      },
      isSuspect(first) ? settleSuspect(deps, first) : settle(deps, group),
    );
    if (settled) session.acknowledgeUpTo(last.message);
    return settled && session.end === void 0;
  }
  async untilDatabaseAnswers(signal) {
    this.waitsForDatabase = true;
    for (let wait = FIRST_REOPEN_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_REOPEN_MS)) {
      try {
        await this.deps.db.ping();
        break;
      } catch {
        await (0, import_promises5.setTimeout)(wait, void 0, { signal }).catch(() => void 0);
      }
    }
    this.waitsForDatabase = false;
  }
  /** Rejects when the queue has had no consumer for too long although the broker is there: the process ends and starts afresh. */
  async watch(signal, consuming) {
    const { timings, connection, queue } = this.deps;
    let since;
    while (!signal.aborted) {
      const away =
        connection.isUp && !this.waitsForDatabase && (this.session === void 0 || this.session.end !== void 0);
      since = away ? (since ?? performance.now()) : void 0;
      if (since !== void 0 && performance.now() - since > timings.watchdogMs) {
        throw new Error(`${queue} has had no consumer for ${timings.watchdogMs} ms`);
      }
      const next = (0, import_promises5.setTimeout)(timings.watchdogMs / 10, void 0, { signal, ref: false }).catch(
        () => void 0,
      );
      await Promise.race([next, consuming]);
    }
    await consuming;
  }
};
function isSuspect(delivery) {
  return delivery.timesReturned >= SUSPECT_AFTER_RETURNS;
}
function groups(deliveries) {
  const cut = [];
  let open;
  for (const delivery of deliveries) {
    if (isSuspect(delivery)) {
      cut.push([delivery]);
      open = void 0;
    } else if (open === void 0) {
      open = [delivery];
      cut.push(open);
    } else {
      open.push(delivery);
    }
  }
  return cut;
}
function isStopping(signal) {
  return signal.aborted;
}

// libs/messaging/src/metrics.ts
var import_promises6 = require('node:timers/promises');
var SCRAPE_TIMEOUT_MS = 2e3;
var BACKLOG = `select count(*)::int as pending, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest
  from outbox where published_at is null`;
function messagingMetrics(metrics, db) {
  const oldest = metrics.gauge({
    name: 'messaging_outbox_oldest_seconds',
    help: 'Age of the oldest event that is not published.',
  });
  metrics.gauge({
    name: 'messaging_outbox_pending',
    help: 'Events that are committed and not published.',
    async collect(gauge) {
      const backlog = await Promise.race([readBacklog(db), timeout()]);
      gauge.set(backlog?.pending ?? Number.NaN);
      oldest.set(backlog?.oldest ?? Number.NaN);
    },
  });
  return {
    published: metrics.counter({
      name: 'messaging_published_total',
      help: 'Events handed to the broker, by outcome: confirmed, returned, lost.',
      labels: ['type', 'outcome'],
    }),
    confirmSeconds: metrics.histogram({
      name: 'messaging_confirm_seconds',
      help: 'From publishing to the confirm of the broker.',
      buckets: [1e-3, 2e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    }),
    relayMemory: metrics.gauge({ name: 'messaging_relay_memory', help: 'Events that the relay holds in memory.' }),
    connectionUp: metrics.gauge({
      name: 'messaging_connection_up',
      help: '1 while connected.',
      labels: ['connection'],
    }),
    connectionBlocked: metrics.gauge({
      name: 'messaging_connection_blocked',
      help: '1 while the broker refuses publishing because it is short of memory or disk.',
      labels: ['connection'],
    }),
    consumed: metrics.counter({
      name: 'messaging_consumed_total',
      help: 'Messages taken from a queue, by outcome: handled, duplicate, not_yet, retried, parked.',
      labels: ['queue', 'outcome'],
    }),
    batchSize: metrics.histogram({
      name: 'messaging_batch_size',
      help: 'Messages handled in one transaction.',
      labels: ['queue'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    }),
    batchSeconds: metrics.histogram({
      name: 'messaging_batch_seconds',
      help: 'One transaction of a consumer, from BEGIN to COMMIT.',
      labels: ['queue'],
      buckets: [1e-3, 25e-4, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    parked: metrics.counter({
      name: 'messaging_parked_total',
      help: 'Messages set aside, by reason: contract, permanent, tries, crash_loop.',
      labels: ['queue', 'reason'],
    }),
    consumerUp: metrics.gauge({
      name: 'messaging_consumer_up',
      help: '1 while the queue is consumed.',
      labels: ['queue'],
    }),
    parkedMessages: metrics.gauge({
      name: 'messaging_parked_messages',
      help: 'Messages in the parked queues of this service.',
      labels: ['queue'],
    }),
    repaired: metrics.counter({
      name: 'messaging_queues_repaired_total',
      help: 'Queues that were missing and have been made again.',
      labels: ['queue'],
    }),
  };
}
async function readBacklog(db) {
  return db.query(BACKLOG).then(
    ([row]) => row,
    () => void 0,
  );
}
function timeout() {
  return (0, import_promises6.setTimeout)(SCRAPE_TIMEOUT_MS, void 0, { ref: false });
}

// libs/messaging/src/outbox.ts
var INSERT = statement(
  'outbox-insert',
  `insert into outbox (id, type, routing_key, target_queue, aggregate_id, sequence, merchant_id, body, next_try_at)
   select id, type, routing_key, $1, aggregate_id, sequence, merchant_id, body, clock_timestamp() + $2 * interval '1 millisecond'
     from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::uuid[], $9::text[])
          with ordinality as e (id, type, routing_key, aggregate_id, sequence, merchant_id, body, place)
    order by place`,
);
var CLAIM = statement(
  'outbox-claim',
  `with due as (
     select id from outbox where published_at is null and next_try_at <= clock_timestamp()
      order by next_try_at limit $1 for update skip locked)
   update outbox set next_try_at = clock_timestamp() + $2 * interval '1 millisecond'
     from due where outbox.id = due.id
   returning outbox.id, outbox.seq, outbox.type, outbox.routing_key, outbox.target_queue, outbox.body`,
);
var MARK = statement(
  'outbox-mark',
  'update outbox set published_at = clock_timestamp() where id = any($1::uuid[]) and published_at is null',
);
var PUT_OFF = statement(
  'outbox-put-off',
  `update outbox set tries = tries + 1, last_error = $2,
          next_try_at = clock_timestamp() + least(300, $3 * 2 ^ least(tries, 20)) * interval '1 second'
    where id = any($1::uuid[]) and published_at is null`,
);
async function writeOutbox(deps, tx, drafts, targetQueue) {
  if (drafts.length === 0) return;
  const traceparent = currentTraceparent();
  const entries = drafts.map((event) => toEntry(event, targetQueue, traceparent));
  await tx.execute(INSERT, [
    targetQueue,
    deps.timings.staleAfterMs,
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.type),
    entries.map((entry) => entry.routingKey),
    drafts.map((event) => event.aggregateId),
    drafts.map((event) => event.sequence),
    drafts.map((event) => event.merchantId),
    entries.map((entry) => entry.body),
  ]);
  tx.onCommit(() => {
    void failpoint('outbox.after-commit-before-relay');
    deps.handOver(entries);
  });
}
function toEntry(event, targetQueue, traceparent) {
  if (!isEventType(event.type)) throw new TypeError('an event of an unknown type');
  const body = JSON.stringify(traceparent === void 0 ? event : { ...event, traceparent });
  return { id: event.id, type: event.type, routingKey: routingKey(event.type), targetQueue, body };
}
async function claimStale(db, limit, claimMs) {
  const rows2 = await db.query(CLAIM, [limit, claimMs]);
  return rows2
    .sort((one, other) => Number(BigInt(one.seq) - BigInt(other.seq)))
    .map((row) => ({
      id: row.id,
      type: row.type,
      routingKey: row.routing_key,
      targetQueue: row.target_queue,
      body: row.body,
    }));
}
async function markPublished(db, ids) {
  await db.execute(MARK, [ids]);
}
async function putOff(db, ids, reason, firstWaitMs) {
  await db.execute(PUT_OFF, [ids, reason, firstWaitMs / 1e3]);
}

// libs/messaging/src/parked-gauge.ts
var EVERY_MS = 15e3;
function watchParked(deps) {
  const timer = setInterval(() => void count2(deps), EVERY_MS).unref();
  deps.connection.once('up', () => void count2(deps));
  return { stop: () => clearInterval(timer) };
}
async function count2({ connection, names, service, metrics }) {
  const own = QUEUES.filter((queue) => queue.startsWith(`${service}.`));
  try {
    const channel = await connection.channel();
    for (const queue of own) {
      const { messageCount } = await channel.checkQueue(names.parked(queue));
      metrics.parkedMessages.set({ queue }, messageCount);
    }
    await closeQuietly(channel);
  } catch {}
}

// libs/messaging/src/publisher.ts
var import_node_events2 = require('node:events');
var import_promises7 = require('node:timers/promises');
var FIRST_REOPEN_MS2 = 100;
var LONGEST_REOPEN_MS2 = 5e3;
var STUCK_CHECK_MS = 1e3;
var Publisher = class extends import_node_events2.EventEmitter {
  constructor(deps) {
    super();
    this.deps = deps;
    this.setMaxListeners(0);
    deps.connection.on('up', () => this.open());
    deps.connection.on('unblocked', () => this.announce());
    if (deps.connection.isUp) this.open();
    this.stuckCheck = setInterval(() => this.recycleWhenStuck(), STUCK_CHECK_MS).unref();
  }
  deps;
  channel;
  opening;
  stopping = new AbortController();
  unconfirmed = /* @__PURE__ */ new Map();
  returned = /* @__PURE__ */ new Set();
  stuckCheck;
  sequence = 0;
  get isWritable() {
    return this.channel !== void 0 && !this.deps.connection.isBlocked;
  }
  /** Sends without waiting; `done` hears exactly once what became of it. */
  send(message, done) {
    const { channel } = this;
    if (channel === void 0) {
      done('lost');
      return;
    }
    const { exchange, routingKey: routingKey2, id, type, body, headers } = message;
    const tag = (this.sequence += 1);
    const key = returnKey(exchange, routingKey2, id);
    const settle2 = (outcome) => {
      const sent = this.unconfirmed.get(tag);
      if (sent === void 0) return;
      this.unconfirmed.delete(tag);
      if (outcome !== 'lost') this.deps.metrics.confirmSeconds.observe((performance.now() - sent.at) / 1e3);
      sent.done(outcome);
    };
    this.unconfirmed.set(tag, { at: performance.now(), done });
    const options = {
      mandatory: true,
      persistent: true,
      contentType: 'application/json',
      messageId: id,
      timestamp: Math.floor(Date.now() / 1e3),
      ...(type === void 0 ? {} : { type }),
      ...(headers === void 0 ? {} : { headers }),
    };
    try {
      channel.publish(exchange, routingKey2, body, options, (error) => {
        const wasReturned = this.returned.delete(key);
        settle2(error !== null ? 'lost' : wasReturned ? 'returned' : 'confirmed');
      });
    } catch {
      settle2('lost');
    }
  }
  /** Sends and waits for the confirm. Throws Unroutable or BrokerUnavailable. */
  async confirmed(message) {
    if (!this.isWritable) throw new BrokerUnavailable('the broker takes no messages at the moment');
    const outcome = await new Promise((resolve) => this.send(message, resolve));
    if (outcome === 'returned') throw new Unroutable(`no queue takes ${message.exchange}/${message.routingKey}`);
    if (outcome === 'lost') throw new BrokerUnavailable('the broker did not confirm');
  }
  async close() {
    this.stopping.abort();
    clearInterval(this.stuckCheck);
    await this.opening;
    await closeQuietly(this.channel);
  }
  open() {
    if (this.channel !== void 0 || this.opening !== void 0 || this.stopping.signal.aborted) return;
    this.opening = this.openUntilDone().finally(() => {
      this.opening = void 0;
    });
  }
  async openUntilDone() {
    const { connection, assertTopology, log } = this.deps;
    const { signal } = this.stopping;
    for (
      let wait = FIRST_REOPEN_MS2;
      connection.isUp && !signal.aborted;
      wait = Math.min(wait * 2, LONGEST_REOPEN_MS2)
    ) {
      try {
        await assertTopology();
        this.use(await connection.confirmChannel());
        return;
      } catch (error) {
        log.warn({ err: error }, 'publisher.open_failed');
        await (0, import_promises7.setTimeout)(wait, void 0, { signal }).catch(() => void 0);
      }
    }
  }
  use(channel) {
    channel.on('return', ({ fields, properties }) => {
      this.returned.add(returnKey(fields.exchange, fields.routingKey, String(properties.messageId)));
    });
    channel.on('close', () => {
      if (this.channel !== channel) return;
      this.channel = void 0;
      this.returned.clear();
      for (const sent of [...this.unconfirmed.values()]) sent.done('lost');
      this.unconfirmed.clear();
      this.open();
    });
    this.channel = channel;
    this.announce();
  }
  announce() {
    if (this.isWritable) this.emit('writable');
  }
  recycleWhenStuck() {
    const { connection, timings, log } = this.deps;
    const [oldest] = this.unconfirmed.values();
    if (oldest === void 0 || connection.isBlocked) return;
    if (performance.now() - oldest.at < timings.confirmTimeoutMs) return;
    log.warn({ unconfirmed: this.unconfirmed.size }, 'publisher.confirms_overdue');
    void closeQuietly(this.channel);
  }
};
function returnKey(exchange, routingKey2, id) {
  return `${exchange}|${routingKey2}|${id}`;
}

// libs/messaging/src/relay.ts
var import_promises9 = require('node:timers/promises');

// libs/messaging/src/marker.ts
var import_promises8 = require('node:timers/promises');
var FIRST_WAIT_MS2 = 200;
var LONGEST_WAIT_MS2 = 5e3;
var MOST_AT_ONCE = 1e3;
var RETURNED = 'returned by the broker: no queue takes it';
var Marker = class {
  constructor(deps) {
    this.deps = deps;
  }
  deps;
  confirmed = [];
  returned = [];
  running;
  hurried = new AbortController();
  confirm(id) {
    this.confirmed.push(id);
    this.start();
  }
  giveBack(id) {
    this.returned.push(id);
    this.start();
  }
  /** Writes what is there without lingering. */
  async flush() {
    this.hurried.abort();
    await this.running;
    this.hurried = new AbortController();
  }
  start() {
    this.running ??= this.run().finally(() => {
      this.running = void 0;
    });
  }
  async run() {
    const { db, timings, log, settled } = this.deps;
    let wait = FIRST_WAIT_MS2;
    await (0, import_promises8.setTimeout)(timings.markLingerMs, void 0, { signal: this.hurried.signal }).catch(
      () => void 0,
    );
    while (this.confirmed.length > 0 || this.returned.length > 0) {
      const confirmed = this.confirmed.slice(0, MOST_AT_ONCE);
      const returned = this.returned.slice(0, MOST_AT_ONCE);
      try {
        if (confirmed.length > 0) await markPublished(db, confirmed);
        this.confirmed = this.confirmed.slice(confirmed.length);
        settled(confirmed);
        if (returned.length > 0) await putOff(db, returned, RETURNED, timings.returnedFirstWaitMs);
        this.returned = this.returned.slice(returned.length);
        settled(returned);
        wait = FIRST_WAIT_MS2;
      } catch (error) {
        log.warn({ err: error, events: confirmed.length + returned.length }, 'relay.mark_failed');
        if (this.hurried.signal.aborted) return;
        await (0, import_promises8.setTimeout)(wait, void 0, { signal: this.hurried.signal }).catch(() => void 0);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS2);
      }
      const lingers = this.confirmed.length < MOST_AT_ONCE && !this.hurried.signal.aborted;
      if (lingers)
        await (0, import_promises8.setTimeout)(timings.markLingerMs, void 0, { signal: this.hurried.signal }).catch(
          () => void 0,
        );
    }
  }
};

// libs/messaging/src/retention.ts
var BATCH = 1e3;
var MOST_BATCHES = 50;
var DELETE_PUBLISHED = statement(
  'outbox-delete-published',
  `delete from outbox where id in (
     select id from outbox where created_at < now() - $1 * interval '1 day' and published_at is not null
      order by created_at, seq limit $2)`,
);
var DELETE_RECEIVED = statement(
  'inbox-delete-received',
  `delete from inbox where ctid = any(array(
     select ctid from inbox where received_at < now() - $1 * interval '1 day' limit $2))`,
);
var DELETE_REPLAYS = `delete from outbox_replays where finished_at < now() - interval '30 days'`;
var DELETE_SUSPECTS = `delete from inbox_suspects where begun_at < now() - interval '30 days'`;
async function sweepOldRows(db) {
  await inBatches(() => db.execute(DELETE_PUBLISHED, [REPLAY_WINDOW_DAYS, BATCH]));
  await inBatches(() => db.execute(DELETE_RECEIVED, [INBOX_DAYS, BATCH]));
  await db.execute(DELETE_REPLAYS);
  await db.execute(DELETE_SUSPECTS);
}
async function inBatches(deleteOne) {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await deleteOne()) < BATCH) return;
  }
}

// libs/messaging/src/relay.ts
var WINDOW = 500;
var MOST_IN_MEMORY = 1e4;
var MOST_BYTES_IN_MEMORY = 32 * 1024 * 1024;
var SWEEP_BATCH = 500;
var DRAIN_TIMEOUT_MS = 1e4;
var DRAIN_POLL_MS = 5;
var Relay = class {
  constructor(deps) {
    this.deps = deps;
    this.marker = new Marker({ ...deps, settled: (ids) => this.forget(ids) });
    deps.publisher.on('writable', () => {
      this.pump();
      this.sweepNow?.();
    });
  }
  deps;
  queue = [];
  lost = [];
  /** Id and size of what is queued, on the wire, or confirmed and not yet marked. The sweeper of this process leaves it alone. */
  held = /* @__PURE__ */ new Map();
  bytes = 0;
  unconfirmed = 0;
  marker;
  sweepNow;
  /** Takes committed events. When memory is full they are left to their rows. */
  offer(entries) {
    for (const entry of entries) {
      if (this.held.has(entry.id)) continue;
      if (this.held.size >= MOST_IN_MEMORY || this.bytes >= MOST_BYTES_IN_MEMORY) break;
      this.held.set(entry.id, entry.body.length);
      this.bytes += entry.body.length;
      this.queue.push(entry);
    }
    this.deps.metrics.relayMemory.set(this.held.size);
    this.pump();
  }
  worker() {
    const { timings, log, replayer } = this.deps;
    return {
      name: 'relay',
      run: async (signal) => {
        const chores = [
          every('outbox-replays', timings.replayEveryMs, (stop) => replayer.runDue(stop), { log }),
          every('messaging-retention', timings.cleanEveryMs, () => sweepOldRows(this.deps.db), { log }),
        ];
        await Promise.all([this.sweep(signal), ...chores.map((chore) => chore.run(signal))]);
        await this.drain();
      },
    };
  }
  /** Waits until everything in memory is published and marked, as far as the broker lets it. */
  async drain() {
    const deadline = Date.now() + DRAIN_TIMEOUT_MS;
    while (this.queue.length + this.unconfirmed > 0 && this.deps.publisher.isWritable && Date.now() < deadline) {
      await (0, import_promises9.setTimeout)(DRAIN_POLL_MS);
    }
    await this.marker.flush();
  }
  pump() {
    const { publisher, names } = this.deps;
    while (this.unconfirmed < WINDOW && publisher.isWritable) {
      const entry = this.queue.shift();
      if (entry === void 0) return;
      this.unconfirmed += 1;
      const { id, type, targetQueue } = entry;
      const address =
        targetQueue === null
          ? { exchange: names.events, routingKey: entry.routingKey }
          : { exchange: '', routingKey: names.work(targetQueue) };
      publisher.send({ ...address, id, type, body: Buffer.from(entry.body) }, (outcome) => this.settle(entry, outcome));
    }
  }
  settle(entry, outcome) {
    const { log, metrics } = this.deps;
    void failpoint('relay.after-publish-before-confirm');
    this.unconfirmed -= 1;
    metrics.published.inc({ type: entry.type, outcome });
    switch (outcome) {
      case 'confirmed':
        void failpoint('relay.after-confirm-before-mark');
        this.marker.confirm(entry.id);
        break;
      case 'returned':
        log.error({ eventId: entry.id, type: entry.type, targetQueue: entry.targetQueue }, 'event.unroutable');
        this.marker.giveBack(entry.id);
        break;
      case 'lost':
        this.takeBack(entry);
        return;
    }
    this.pump();
  }
  /** To the front, in the order in which they had been sent: all of them are lost in the same moment. */
  takeBack(entry) {
    this.lost.push(entry);
    if (this.lost.length > 1) return;
    setImmediate(() => {
      this.queue = [...this.lost, ...this.queue];
      this.lost = [];
      this.pump();
    });
  }
  forget(ids) {
    for (const id of ids) {
      this.bytes -= this.held.get(id) ?? 0;
      this.held.delete(id);
    }
    this.deps.metrics.relayMemory.set(this.held.size);
  }
  /** While the broker takes nothing there is no reason to look, and while there is enough in memory neither. */
  async sweepOnce(signal) {
    const { db, publisher, timings } = this.deps;
    if (publisher.isWritable && this.queue.length < WINDOW) {
      const stale = await claimStale(db, SWEEP_BATCH, timings.claimMs);
      this.offer(stale);
      if (stale.length === SWEEP_BATCH) return;
    }
    await this.pause(timings.sweepEveryMs, signal);
  }
  async sweep(signal) {
    const { log, timings } = this.deps;
    while (!signal.aborted) {
      try {
        await this.sweepOnce(signal);
      } catch (error) {
        log.warn({ err: error }, 'relay.sweep_failed');
        await this.pause(2 * timings.sweepEveryMs, signal);
      }
    }
  }
  async pause(ms, signal) {
    const poked = new AbortController();
    this.sweepNow = () => poked.abort();
    await (0, import_promises9.setTimeout)(ms, void 0, { signal: AbortSignal.any([signal, poked.signal]) }).catch(
      () => void 0,
    );
  }
};

// libs/messaging/src/replay.ts
var BATCH2 = 500;
var LEASE_SECONDS = 30;
var RETRY_SECONDS = 2;
var REQUEST = statement(
  'replay-request',
  `insert into outbox_replays (queue, types, since) values ($1, $2, $3)
   on conflict (queue) where finished_at is null do update
      set types = (select array_agg(distinct t) from unnest(outbox_replays.types || excluded.types) as t),
          since = least(outbox_replays.since, excluded.since), asked = outbox_replays.asked + 1,
          position_at = null, position_seq = null`,
);
var CLAIM2 = statement(
  'replay-claim',
  `update outbox_replays set next_run_at = now() + $1 * interval '1 second'
    where id = (select id from outbox_replays where finished_at is null and next_run_at <= now()
                 order by id limit 1 for update skip locked)
   returning id, queue, asked, types, since::text as since, position_at::text as position_at, position_seq`,
);
var READ = statement(
  'replay-read',
  `select id, type, body, seq, created_at::text as created_at from outbox
    where created_at >= $1::timestamptz and (created_at, seq) > ($2::timestamptz, $3::bigint)
      and type = any($4::text[]) and (target_queue is null or target_queue = $5)
    order by created_at, seq limit $6`,
);
var ADVANCE = statement(
  'replay-advance',
  `update outbox_replays set position_at = $3::timestamptz, position_seq = $4, published = published + $5,
          next_run_at = now(), finished_at = case when $6 then now() end
    where id = $1 and asked = $2`,
);
var PUT_OFF2 = statement(
  'replay-put-off',
  `update outbox_replays set next_run_at = now() + $2 * interval '1 second' where id = $1`,
);
var Replayer = class {
  constructor(deps) {
    this.deps = deps;
  }
  deps;
  /** Takes the requests among these events. They are carried out by the relay, after the commit. */
  async accept(tx, events) {
    for (const { data } of eventsOf(events, 'messaging.replay_requested')) {
      if (!isQueueName(data.queue)) continue;
      await tx.execute(REQUEST, [data.queue, data.types, data.since]);
    }
  }
  /** Carries out what is due, until nothing is, or the broker takes nothing. */
  async runDue(signal) {
    const { db, publisher } = this.deps;
    while (!signal.aborted && publisher.isWritable) {
      const [replay] = await db.query(CLAIM2, [LEASE_SECONDS]);
      if (replay === void 0) return;
      try {
        await this.publishBatch(replay);
      } catch (error) {
        await db.execute(PUT_OFF2, [replay.id, RETRY_SECONDS]);
        throw error;
      }
    }
  }
  async publishBatch(replay) {
    const { db, publisher, connection, names, log } = this.deps;
    const queue = names.work(replay.queue);
    if (!(await queuesExist(connection, [queue]))) {
      await db.execute(PUT_OFF2, [replay.id, RETRY_SECONDS]);
      return;
    }
    const position = [replay.position_at ?? '-infinity', replay.position_seq ?? '0'];
    const rows2 = await db.query(READ, [replay.since, ...position, replay.types, replay.queue, BATCH2]);
    await Promise.all(
      rows2.map(({ id, type, body }) =>
        publisher.confirmed({ exchange: '', routingKey: queue, id, type, body: Buffer.from(body) }),
      ),
    );
    const last = rows2.at(-1);
    const finished = rows2.length < BATCH2;
    await db.execute(ADVANCE, [
      replay.id,
      replay.asked,
      last?.created_at ?? replay.position_at,
      last?.seq ?? replay.position_seq,
      rows2.length,
      finished,
    ]);
    if (finished) log.info({ queue: replay.queue, types: replay.types.length }, 'replay.finished');
  }
};

// libs/messaging/src/messaging.ts
var DEFAULT_BATCH = 100;
async function openMessaging(options) {
  const { url, namespace, service, db, log } = options;
  const timings = { ...TIMINGS, ...options.timings };
  const names = namesIn(namespace);
  const metrics = messagingMetrics(options.metrics, db);
  const common = { url, service, log, metrics };
  const publishing = await BrokerConnection.open({ ...common, purpose: 'publish' });
  const consuming = await BrokerConnection.open({ ...common, purpose: 'consume' });
  async function publish(tx, drafts, { queue } = {}) {
    if (queue !== void 0) requireQueue(queue);
    await writeOutbox({ timings, handOver: (entries) => relay.offer(entries) }, tx, drafts, queue ?? null);
  }
  const topology = new Topology({ connection: publishing, names, timings, db, publish, log, metrics });
  const publisher = new Publisher({
    connection: publishing,
    assertTopology: () => topology.assert(),
    timings,
    log,
    metrics,
  });
  const replayer = new Replayer({ db, publisher, connection: publishing, names, log });
  const relay = new Relay({ db, publisher, replayer, names, timings, log, metrics });
  const broadcast = new Broadcaster({ publishing, consuming, names, log });
  const parkedGauge = watchParked({ connection: consuming, names, service, metrics });
  return {
    publish,
    broadcast,
    relay: () => relay.worker(),
    consumer: ({ queue, handle, batchSize = DEFAULT_BATCH }) =>
      new Consumer({
        ...{ queue: requireQueue(queue), handle, batchSize },
        ...{ db, connection: consuming, topology, publisher, names, timings, log, metrics },
      }),
    handleControl: (tx, events) => replayer.accept(tx, events),
    checks: {
      broker() {
        if (!topology.wasAsserted) throw new Error('the broker has not been reached yet');
      },
    },
    async close() {
      parkedGauge.stop();
      await relay.drain();
      await broadcast.close();
      await publisher.close();
      await Promise.all([publishing.close(), consuming.close()]);
    },
  };
}
function requireQueue(queue) {
  if (!isQueueName(queue)) throw new RangeError(`${queue} is not a queue of the topology`);
  return queue;
}

// libs/messaging/src/migrations.ts
var messagingMigrations = [
  {
    name: '20261121080000-create-messaging',
    sql: `
-- Events in the transaction of the change they tell of. body is text: what is published is byte for byte what was committed.
create table outbox (
  id uuid primary key,
  seq bigint generated always as identity,
  type text not null,
  routing_key text not null,
  target_queue text,
  aggregate_id text not null,
  sequence bigint not null,
  merchant_id uuid,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  next_try_at timestamptz not null,
  published_at timestamptz,
  tries integer not null default 0,
  last_error text
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);
create index outbox_unpublished on outbox (next_try_at) where published_at is null;
-- Replays read from it in order, retention deletes at its old end.
create index outbox_created on outbox (created_at, seq);

-- Events whose effects are committed, per consumer.
create table inbox (
  consumer text not null,
  message_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (consumer, message_id)
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);
create index inbox_received on inbox using brin (received_at) with (pages_per_range = 32);

-- Messages that are handled alone because the process may die of them: how often that was begun and never ended.
create table inbox_suspects (
  consumer text not null,
  message_id uuid not null,
  begun integer not null,
  begun_at timestamptz not null default now(),
  primary key (consumer, message_id)
);

-- Requests to publish again to one queue. At most one is open per queue.
create table outbox_replays (
  id bigint generated always as identity primary key,
  queue text not null,
  types text[] not null,
  since timestamptz not null,
  requested_at timestamptz not null default now(),
  asked integer not null default 1,
  position_at timestamptz,
  position_seq bigint,
  next_run_at timestamptz not null default now(),
  published bigint not null default 0,
  finished_at timestamptz
);
create unique index outbox_replays_open on outbox_replays (queue) where finished_at is null;

-- Queues that this service found missing and is making again. A row that survives a crash means: the replay has not been asked for.
create table queue_repairs (
  queue text primary key,
  started_at timestamptz not null default now()
);
`,
  },
];

// libs/messaging/src/parking.ts
var import_amqplib2 = require('amqplib');

// libs/messaging/src/testing/raw-broker.ts
var import_amqplib3 = require('amqplib');
async function onBroker(url, use) {
  const connection = await (0, import_amqplib3.connect)(url, { noDelay: true });
  connection.on('error', () => void 0);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => void 0);
    return await use(channel);
  } finally {
    await connection.close().catch(() => void 0);
  }
}

// libs/messaging/src/testing/drop-namespace.ts
async function dropNamespace(url, namespace) {
  if (namespace === '') throw new RangeError('the empty namespace is not for tests');
  const names = namesIn(namespace);
  const queues = QUEUES.flatMap((queue) => [
    names.work(queue),
    names.parked(queue),
    ...RETRY_STEPS.map((step) => names.retry(queue, step)),
  ]);
  await Promise.all(
    [0, 1, 2, 3].map((lane) =>
      deleteQueues(
        url,
        queues.filter((_, index) => index % 4 === lane),
      ),
    ),
  );
  await onBroker(url, async (channel) => {
    await channel.deleteExchange(names.events);
    await channel.deleteExchange(names.broadcast);
  });
}
async function deleteQueues(url, queues) {
  await onBroker(url, async (channel) => {
    for (const queue of queues) await channel.deleteQueue(queue);
  });
}

// libs/messaging/src/testing/event-tap.ts
var import_amqplib4 = require('amqplib');

// libs/messaging/src/testing/quick-timings.ts
var QUICK_TIMINGS = {
  ...TIMINGS,
  retryMs: { '5s': 100, '30s': 150, '5m': 200 },
  sweepEveryMs: 100,
  staleAfterMs: 500,
  claimMs: 1e3,
  markLingerMs: 10,
  returnedFirstWaitMs: 100,
  replayEveryMs: 100,
};

// libs/messaging/test/fixture.ts
var migrations = [
  ...messagingMigrations,
  {
    name: '20270101000000-create-effects',
    sql: 'create table effects (place bigint generated always as identity, event_id uuid not null, aggregate_id text, sequence bigint)',
  },
];
async function aPlace(service = 'intent-api') {
  const database = await testDatabase({
    service,
    migrate: (url) => migrate({ url, migrations, log: silentLog() }),
    content: migrations.map((each) => each.sql).join(),
  });
  const namespace = testNamespace();
  return {
    databaseUrl: database.url,
    amqpUrl: amqpUrl(),
    namespace,
    async drop() {
      await database.drop();
      await dropNamespace(amqpUrl(), namespace);
    },
  };
}
function silentLog() {
  return createLogger({ service: 'spec', level: process.env['SPEC_LOG'] ?? 'silent' });
}
async function aService(place, { service = 'intent-api', timings } = {}) {
  const log = silentLog();
  const metrics = createMetrics(service);
  const db = await openDatabase({ url: place.databaseUrl, poolSize: 6, applicationName: service, log, migrations });
  const messaging = await openMessaging({
    url: place.amqpUrl,
    namespace: place.namespace,
    service,
    db,
    log,
    metrics,
    timings: { ...QUICK_TIMINGS, ...timings },
  });
  const stopping = new AbortController();
  const workers = [];
  return {
    db,
    messaging,
    metrics,
    workers,
    start(worker) {
      const ended = worker.run(stopping.signal);
      ended.catch(() => void 0);
      workers.push({ name: worker.name, ended });
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(workers.map((worker) => worker.ended));
      await messaging.close();
      await db.close();
    },
  };
}
function anEvent(input = {}) {
  return draft('claim.submitted', {
    environment: 'SANDBOX',
    merchantId: '0198a5a0-0000-7000-8000-000000000001',
    aggregateId: input.aggregateId ?? (0, import_node_crypto5.randomUUID)(),
    sequence: input.sequence ?? 1,
    id: input.id ?? (0, import_uuidv72.uuidv7)(),
    occurredAt: /* @__PURE__ */ new Date('2026-11-21T10:00:00Z'),
    data: {
      claimId: '0198a5a0-0000-7000-8000-000000000002',
      paymentIntentId: '0198a5a0-0000-7000-8000-000000000003',
      trxId: 'DKL4A1B2C3',
      submittedAt: '2026-11-21T10:00:00.000Z',
    },
  });
}
var QUEUE2 = 'reconciler.events';
async function publishAll(service, drafts) {
  await service.db.transaction((tx) => service.messaging.publish(tx, drafts));
}
async function unpublished(db) {
  const [row] = await db.query('select count(*)::int as n from outbox where published_at is null');
  return row?.n ?? -1;
}

// libs/messaging/bench-tmp.ts
var N = Number(process.env.N ?? 5e4);
var BATCH3 = Number(process.env.B ?? 20);
var CONC = Number(process.env.C ?? 4);
async function main() {
  const place = await aPlace();
  const s = await aService(place, { timings: TIMINGS });
  let handled = 0;
  const lat = [];
  const at = /* @__PURE__ */ new Map();
  s.start(s.messaging.relay());
  s.start(
    s.messaging.consumer({
      queue: QUEUE2,
      async handle(_tx, events2) {
        const now = performance.now();
        handled += events2.length;
        for (const e of events2) {
          const t = at.get(e.id);
          if (t) lat.push(now - t);
        }
      },
    }),
  );
  const wait = async (n) => {
    while (handled < n) await new Promise((r) => setTimeout(r, 2));
  };
  for (let i = 0; i < 200; i++) {
    const e = anEvent();
    await s.db.transaction(async (tx) => {
      await s.messaging.publish(tx, [e]);
      tx.onCommit(() => at.set(e.id, performance.now()));
    });
    await new Promise((r) => setTimeout(r, 20));
  }
  await wait(200);
  lat.sort((a, b) => a - b);
  console.log(
    'latency commit->handler p50',
    lat[100].toFixed(2),
    'p95',
    lat[190].toFixed(2),
    'p99',
    lat[198].toFixed(2),
  );
  lat.length = 0;
  at.clear();
  const base = handled;
  const t0 = performance.now();
  let left = N;
  const events = Array.from({ length: N }, () => anEvent());
  const t1 = performance.now();
  console.log('draft us', (((t1 - t0) * 1e3) / N).toFixed(1));
  await Promise.all(
    Array.from({ length: CONC }, async () => {
      while (left > 0) {
        left -= BATCH3;
        const b = events.splice(-BATCH3);
        await publishAll(s, b);
      }
    }),
  );
  const t2 = performance.now();
  await wait(base + N);
  const t3 = performance.now();
  console.log('publish/s', ((N / (t2 - t1)) * 1e3).toFixed(0), 'end to end/s', ((N / (t3 - t1)) * 1e3).toFixed(0));
  while (await unpublished(s.db)) await new Promise((r) => setTimeout(r, 10));
  console.log('marked/s', ((N / (performance.now() - t1)) * 1e3).toFixed(0), 'cpu', process.cpuUsage());
  await s.stop();
  await place.drop();
}
main().catch((e) => {
  console.error(e);
  process.exit(1);
});
