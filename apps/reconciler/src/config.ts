import { MIN_EXPIRY_GRACE_MS, RECORD_RETENTION } from '@pay/contracts';
import { commonConfig, encryptionKeys, integer, secretsSharedWith } from '@pay/runtime';
import { z } from 'zod';

/** No public routes, so no public port. */
const { PORT: _publicPort, TRUSTED_PROXY_CIDRS: _proxies, ...shared } = commonConfig;

/** The environment of reconciler. */
export const reconcilerConfig = z.object({
  ...shared,
  INTENT_API_URL: z
    .url()
    .describe('Private base URL of intent-api; used to load intents that are missing from the local copy'),
  SMS_INGEST_URL: z
    .url()
    .describe('Private base URL of sms-ingest; used to check for undecided SMS before an intent expires'),
  CHECKOUT_API_URL: z
    .url()
    .describe('Private base URL of checkout-api; used to check for undecided claims before an intent expires'),
  DASHBOARD_API_URL: z
    .url()
    .describe(
      'Private base URL of dashboard-api; used to check that a merchant or receiver is still disabled before its intents fail',
    ),
  PEER_SECRET_INTENT_API: secretsSharedWith('intent-api'),
  PEER_SECRET_SMS_INGEST: secretsSharedWith('sms-ingest'),
  PEER_SECRET_CHECKOUT_API: secretsSharedWith('checkout-api'),
  PEER_SECRET_DASHBOARD_API: secretsSharedWith('dashboard-api'),
  DECISION_CHAIN_KEYS: encryptionKeys().describe(
    'Keys that sign decisions, as id:base64 of 32 bytes, separated by commas; the first signs, every one verifies. Never remove a key: its ' +
      'signatures could no longer be verified',
  ),
  MATCH_WINDOW_HOURS: integer({ min: 1, max: 24 * 90 })
    .default(72)
    .describe(
      'Hours that a payment SMS waits for its intent, and maximum age of the SMS when the intent is created; older matches go to review',
    ),
  TRX_ID_LEAD_MINUTES: integer({ max: 24 * 60 })
    .default(10)
    .describe(
      'Maximum age in minutes of a payment SMS when the intent is created, for matches by TrxID only; older SMS go to review',
    ),
  EXPIRY_GRACE_MS: integer({ max: 60_000 })
    .refine(
      (milliseconds) => milliseconds >= MIN_EXPIRY_GRACE_MS,
      `must be at least ${MIN_EXPIRY_GRACE_MS}: sms-ingest reports an SMS that waits in its memory only after a second, and until ` +
        'then its intent could expire',
    )
    .default(2_000)
    .describe(
      'Milliseconds between expiresAt and the change to EXPIRED, so that SMS and claims already received are decided first; at ' +
        `least ${MIN_EXPIRY_GRACE_MS}`,
    ),
  CLAIM_RETENTION_DAYS: integer({ min: 7, max: 3_650 })
    .default(180)
    .describe('Days after its submission when a TrxID claim is deleted'),
  RECORD_RETENTION_DAYS: integer({ min: RECORD_RETENTION.minDays, max: RECORD_RETENTION.maxDays })
    .default(RECORD_RETENTION.defaultDays)
    .describe(
      'Days that decisions, intents and evidence are kept; set the same value in all services. SMS with an older payment time are rejected',
    ),
});
export type ReconcilerConfig = z.infer<typeof reconcilerConfig>;
