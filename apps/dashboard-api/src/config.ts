import { RECORD_RETENTION, DEVICE_OFFLINE_SECONDS } from '@pay/contracts';
import { commonConfig, encryptionKeys, integer, secrets } from '@pay/runtime';
import { z } from 'zod';

const sharedWith = (peer: string) =>
  secrets().describe(`Secrets shared with ${peer} alone, separated by commas: the first signs, all verify`);

/** The environment of dashboard-api, setting by setting. */
export const dashboardApiConfig = z.object({
  ...commonConfig,
  PEER_SECRET_INTENT_API: sharedWith('intent-api'),
  PEER_SECRET_SMS_INGEST: sharedWith('sms-ingest'),
  PEER_SECRET_WEBHOOK_DISPATCHER: sharedWith('webhook-dispatcher'),
  PEER_SECRET_RECONCILER: sharedWith('reconciler'),
  RECONCILER_URL: z.url().describe('Private address of the reconciler, which decides what people ask it to'),
  INTENT_API_URL: z.url().describe('Private address of intent-api, asked how a payment stands'),
  WEBHOOK_DISPATCHER_URL: z
    .url()
    .describe('Private address of webhook-dispatcher, asked whether a merchant was told of a payment'),
  SMS_INGEST_URL: z.url().describe('Private address of sms-ingest, asked what the heartbeats of a phone say'),
  PUBLIC_API_URL: z
    .url({ protocol: /^https?$/ })
    .describe('Address at which phones reach the API from outside; the QR of a pairing tells it to them'),
  DEVICE_OFFLINE_SECONDS: integer({ min: 1, max: 86_400 })
    .default(DEVICE_OFFLINE_SECONDS)
    .describe(
      'Seconds of silence after which a device that sends heartbeats is shown as offline; the same as in sms-ingest',
    ),
  SESSION_SECRET: secrets().describe(
    'Signs the access tokens of people at the dashboard; newest first during a rotation, separated by commas',
  ),
  TOTP_ENCRYPTION_KEYS: encryptionKeys().describe(
    'Keys that secrets of authenticator apps, and mails until they are sent, are stored under, as id:base64 of 32 bytes, separated by commas; the first one seals',
  ),
  FORWARDER_SECRET_KEYS: encryptionKeys().describe(
    'Keys that signing secrets of forwarder apps are sealed under, shared with sms-ingest alone, as id:base64 of 32 bytes, separated by ' +
      'commas; the first one seals',
  ),
  API_KEYS_PER_ENVIRONMENT: integer({ min: 1, max: 1_000 })
    .default(20)
    .describe('Most API keys of one merchant and environment that are in use at once; a rotation may add one more'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' })
    .optional()
    .describe('Mail server that invitations and notices are sent by, with user and password; required in production'),
  MAIL_FROM: z
    .email('must be an e-mail address')
    .default('no-reply@localhost.localdomain')
    .describe('Address that mails come from; required in production'),
  MAIL_DIRECTORY: z
    .string()
    .optional()
    .describe('Folder that mails are written to instead, where people develop; refused in production'),
  DASHBOARD_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of the dashboard in a browser, which invitations lead to; without it they name the operations of the API',
    ),
  RECORD_RETENTION_DAYS: integer({ min: RECORD_RETENTION.minDays, max: RECORD_RETENTION.maxDays })
    .default(RECORD_RETENTION.defaultDays)
    .describe('Days that the audit log is kept, as records of payments are; the same in all services'),
  LOGIN_LIMIT_PER_ACCOUNT: integer({ min: 1, max: 1_000 })
    .default(5)
    .describe(
      'Most log-ins of one account that fail from one address, or from one known browser, before it has to wait',
    ),
  LOGIN_LIMIT_ACCOUNT_SECONDS: integer({ min: 1, max: 86_400 })
    .default(300)
    .describe('How long the log-ins of one account from one address are counted together'),
  LOGIN_LIMIT_UNKNOWN_BROWSERS: integer({ min: 1, max: 1_000_000 })
    .default(50)
    .describe(
      'Most log-ins of one account that fail from all addresses together; browsers that the account knows are not counted',
    ),
  LOGIN_LIMIT_UNKNOWN_BROWSERS_SECONDS: integer({ min: 1, max: 86_400 })
    .default(3_600)
    .describe('How long the log-ins of one account from all addresses are counted together'),
  LOGIN_LIMIT_PER_ADDRESS: integer({ min: 1, max: 1_000_000 })
    .default(10)
    .describe('Most log-ins from one client address in a minute'),
});

/** The same for the service itself, which sends mails. Commands pick what they need from the one above. */
export const dashboardServiceConfig = dashboardApiConfig.superRefine((config, context) => {
  const refuse = (key: keyof typeof config, message: string) =>
    context.addIssue({ code: 'custom', path: [key], message });
  if (config.NODE_ENV === 'production') {
    if (config.SMTP_URL === undefined) refuse('SMTP_URL', 'is required in production');
    if (config.MAIL_FROM.endsWith('@localhost.localdomain')) refuse('MAIL_FROM', 'is required in production');
    if (config.MAIL_DIRECTORY !== undefined) refuse('MAIL_DIRECTORY', 'is not allowed in production');
  } else if (config.SMTP_URL === undefined && config.MAIL_DIRECTORY === undefined) {
    refuse('SMTP_URL', 'is required, or MAIL_DIRECTORY');
  }
});
export type DashboardApiConfig = z.infer<typeof dashboardApiConfig>;
