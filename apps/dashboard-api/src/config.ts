import { RECORD_RETENTION, DEVICE_OFFLINE_SECONDS } from '@pay/contracts';
import { merchantApiLimitSettings } from '@pay/rate-limits';
import { commonConfig, encryptionKeys, integer, mailServerUrl, secrets, secretsSharedWith } from '@pay/runtime';
import { z } from 'zod';

const publicUrlOf = (service: string) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      `Base URL at which test runs of the sandbox call the public routes of ${service}; default PUBLIC_API_URL`,
    );

/** Of the services that dashboard-api calls. */
export const peerSettings = {
  PEER_SECRET_CHECKOUT_API: secretsSharedWith('checkout-api'),
  PEER_SECRET_INTENT_API: secretsSharedWith('intent-api'),
  PEER_SECRET_SMS_INGEST: secretsSharedWith('sms-ingest'),
  PEER_SECRET_WEBHOOK_DISPATCHER: secretsSharedWith('webhook-dispatcher'),
  PEER_SECRET_RECONCILER: secretsSharedWith('reconciler'),
  RECONCILER_URL: z.url().describe('Private base URL of reconciler; used to apply the decisions of reviewers'),
  CHECKOUT_API_URL: z
    .url()
    .describe('Private base URL of checkout-api; used to read what happened at the checkout of an intent'),
  INTENT_API_URL: z.url().describe('Private base URL of intent-api; used to read the status of an intent'),
  WEBHOOK_DISPATCHER_URL: z
    .url()
    .describe('Private base URL of webhook-dispatcher; used to read the webhook deliveries of an intent'),
  SMS_INGEST_URL: z.url().describe('Private base URL of sms-ingest; used to read the heartbeats of devices'),
};

export const dashboardApiConfig = z.object({
  ...commonConfig,
  ...peerSettings,
  PUBLIC_API_URL: z
    .url({ protocol: /^https?$/ })
    .describe('Public base URL of the API; the QR code of a pairing contains it so that the phone can connect'),
  PUBLIC_INTENT_API_URL: publicUrlOf('intent-api'),
  PUBLIC_CHECKOUT_API_URL: publicUrlOf('checkout-api'),
  PUBLIC_WEBHOOK_API_URL: publicUrlOf('webhook-dispatcher'),
  DEVICE_OFFLINE_SECONDS: integer({ min: 1, max: 86_400 })
    .default(DEVICE_OFFLINE_SECONDS)
    .describe('Seconds without a heartbeat after which a device is shown as offline; set the same value in sms-ingest'),
  SESSION_SECRET: secrets().describe(
    'Secrets that sign the access tokens of dashboard users, separated by commas; the first signs, every one verifies',
  ),
  TOTP_ENCRYPTION_KEYS: encryptionKeys().describe(
    'Keys that encrypt TOTP secrets, unsent mails and secrets of hosted test endpoints, as id:base64 of 32 bytes, separated by commas; the first encrypts, every one decrypts',
  ),
  FORWARDER_SECRET_KEYS: encryptionKeys().describe(
    'Keys that encrypt the signing secrets of forwarder apps, as id:base64 of 32 bytes, separated by commas; the first encrypts, every one ' +
      'decrypts. Set the same keys in sms-ingest only',
  ),
  API_KEYS_PER_ENVIRONMENT: integer({ min: 1, max: 1_000 })
    .default(20)
    .describe('Maximum number of active API keys per merchant and environment; a rotation may exceed it by one'),
  SMTP_URL: mailServerUrl()
    .optional()
    .describe('URL of the SMTP server for invitations and notices, with user and password; required in production'),
  MAIL_FROM: z
    .email('must be an e-mail address')
    .default('no-reply@localhost.localdomain')
    .describe('Sender address of mails; required in production'),
  MAIL_DIRECTORY: z
    .string()
    .optional()
    .describe(
      'Folder that mails are written to instead of an SMTP server during development; not allowed in production',
    ),
  DASHBOARD_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Public URL of the dashboard, used for links in invitations; without it invitations name the API operations to call',
    ),
  RECORD_RETENTION_DAYS: integer({ min: RECORD_RETENTION.minDays, max: RECORD_RETENTION.maxDays })
    .default(RECORD_RETENTION.defaultDays)
    .describe('Days that the audit log is kept; set the same value in all services'),
  PAYMENT_AUDIT_SECONDS: integer({ min: 1, max: 45 })
    .default(30)
    .describe(
      'Seconds between two rounds of the payment audit. A mismatch is reported by the second round that sees it, 20 seconds after the ' +
        'decision at the earliest; with the maximum that is within two minutes',
    ),
  LOGIN_LIMIT_PER_ACCOUNT: integer({ min: 1, max: 1_000 })
    .default(5)
    .describe(
      'Failed log-ins per account from one client address or one known browser within LOGIN_LIMIT_ACCOUNT_SECONDS; more are answered 429',
    ),
  LOGIN_LIMIT_ACCOUNT_SECONDS: integer({ min: 1, max: 86_400 })
    .default(300)
    .describe('Length in seconds of the window of LOGIN_LIMIT_PER_ACCOUNT'),
  LOGIN_LIMIT_UNKNOWN_BROWSERS: integer({ min: 1, max: 1_000_000 })
    .default(50)
    .describe(
      'Failed log-ins per account from all unknown browsers together within LOGIN_LIMIT_UNKNOWN_BROWSERS_SECONDS; more are answered 429',
    ),
  LOGIN_LIMIT_UNKNOWN_BROWSERS_SECONDS: integer({ min: 1, max: 86_400 })
    .default(3_600)
    .describe('Length in seconds of the window of LOGIN_LIMIT_UNKNOWN_BROWSERS'),
  LOGIN_LIMIT_PER_ADDRESS: integer({ min: 1, max: 1_000_000 })
    .default(10)
    .describe('Log-ins per minute from one client address; more are answered 429'),
  ...merchantApiLimitSettings,
  RATE_LIMIT_USER_PER_SECOND: integer({ min: 1, max: 1_000_000 })
    .default(50)
    .describe('Requests per second in all sessions of one user, also the largest burst; more are answered 429'),
  RATE_LIMIT_TEST_WEBHOOKS_PER_SECOND: integer({ min: 1, max: 1_000_000 })
    .default(50)
    .describe(
      'Webhooks per second with a valid signature to the hosted test endpoint of one merchant, also the largest burst; more are answered 429',
    ),
  RATE_LIMIT_UNSIGNED_TEST_WEBHOOKS_PER_MINUTE: integer({ min: 1, max: 1_000_000 })
    .default(60)
    .describe(
      'Requests per minute without a valid signature to the hosted test endpoint of one merchant, also the largest burst; more are answered ' +
        '429 and are not stored',
    ),
});

/** Settings of the service, which sends mails. Commands use a part of dashboardApiConfig. */
export const dashboardServiceConfig = dashboardApiConfig.superRefine((config, context) => {
  const refuse = (key: keyof typeof config, message: string) =>
    context.addIssue({ code: 'custom', path: [key], message });
  if (config.NODE_ENV === 'production') {
    if (config.SMTP_URL === undefined) refuse('SMTP_URL', 'is required in production');
    if (config.MAIL_FROM.endsWith('@localhost.localdomain')) refuse('MAIL_FROM', 'is required in production');
    if (config.MAIL_DIRECTORY !== undefined) refuse('MAIL_DIRECTORY', 'is not allowed in production');
  } else if (config.SMTP_URL === undefined && config.MAIL_DIRECTORY === undefined) {
    refuse('SMTP_URL', 'is required unless MAIL_DIRECTORY is set');
  }
});
export type DashboardApiConfig = z.infer<typeof dashboardApiConfig>;
