import { RECORD_RETENTION } from '@pay/contracts';
import { commonConfig, encryptionKeys, integer, secrets } from '@pay/runtime';
import { z } from 'zod';

/** No public routes, so no public port. */
const { PORT: _publicPort, TRUSTED_PROXY_CIDRS: _proxies, ...shared } = commonConfig;

const sharedWith = (peer: string) =>
  secrets().describe(`Secrets shared with ${peer} alone, separated by commas: the first signs, all verify`);

/** The environment of reconciler. */
export const reconcilerConfig = z.object({
  ...shared,
  INTENT_API_URL: z.url().describe('Private address of intent-api, asked about intents that the local copy lacks'),
  SMS_INGEST_URL: z.url().describe('Private address of sms-ingest, asked what is undecided before an intent expires'),
  CHECKOUT_API_URL: z
    .url()
    .describe('Private address of checkout-api, asked what is undecided before an intent expires'),
  DASHBOARD_API_URL: z
    .url()
    .describe('Private address of dashboard-api, asked for the current facts before an intent fails by a switch-off'),
  PEER_SECRET_INTENT_API: sharedWith('intent-api'),
  PEER_SECRET_SMS_INGEST: sharedWith('sms-ingest'),
  PEER_SECRET_CHECKOUT_API: sharedWith('checkout-api'),
  PEER_SECRET_DASHBOARD_API: sharedWith('dashboard-api'),
  DECISION_CHAIN_KEYS: encryptionKeys().describe(
    'Keys that decisions are signed with, as id:base64 of 32 bytes, separated by commas; the first one signs. None is ever removed: what ' +
      'it signed could not be verified any more',
  ),
  MATCH_WINDOW_HOURS: integer({ min: 1, max: 24 * 90 })
    .default(72)
    .describe('How long evidence waits for its intent, or may be older than it when the reference matches'),
  TRX_ID_LEAD_MINUTES: integer({ max: 24 * 60 })
    .default(10)
    .describe('How much older than its intent evidence may be when only the TrxID leads to it'),
  EXPIRY_INTERVAL_MS: integer({ min: 50, max: 60_000 }).default(1_000).describe('Pause between two rounds of expiry'),
  EXPIRY_GRACE_MS: integer({ max: 60_000 })
    .default(2_000)
    .describe('Time between the end of an intent and its expiry, for what is just being taken in'),
  EXPIRY_BATCH: integer({ min: 1, max: 2_000 }).default(250).describe('Most intents expired in one transaction'),
  EXPIRIES_PER_SECOND: integer({ min: 10, max: 100_000 })
    .default(1_250)
    .describe('Most intents that a process expires in a second, so that payments do not queue behind them'),
  CLAIM_RETENTION_DAYS: integer({ min: 7, max: 3_650 })
    .default(180)
    .describe('Days after its submission at which a TrxID claim is deleted'),
  RECORD_RETENTION_DAYS: integer({ min: RECORD_RETENTION.minDays, max: RECORD_RETENTION.maxDays })
    .default(RECORD_RETENTION.defaultDays)
    .describe(
      'Days that decisions and what they were made over are kept; the same in all services. Texts with an older time of payment are refused',
    ),
});
export type ReconcilerConfig = z.infer<typeof reconcilerConfig>;
