import { DEVICE_OFFLINE_SECONDS, RECORD_RETENTION } from '@pay/contracts';
import { commonConfig, encryptionKeys, integer, secretsSharedWith } from '@pay/runtime';
import { z } from 'zod';
import type { SenderIds } from './domain/parse-sms';
import { intakeLimitSettings } from './intake/limit-intake';

/** A comma-separated list. Example: "bKash,bKash-2" */
const namesOrNone = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    );
const names = (fallback: string) =>
  namesOrNone(fallback).refine((list) => list.length > 0, 'must contain at least one name');

/** The environment of sms-ingest. */
export const smsIngestConfig = z.object({
  ...commonConfig,
  BKASH_SENDER_IDS: names('bKash').describe(
    'Sender ids of bKash, separated by commas; a match that differs in upper and lower case adds a forgery signal',
  ),
  NAGAD_SENDER_IDS: names('NAGAD,Nagad').describe(
    'Sender ids of Nagad, separated by commas; a match that differs in upper and lower case adds a forgery signal',
  ),
  BKASH_NOTICE_SENDER_IDS: namesOrNone('16247').describe(
    'Sender ids of bKash whose SMS are parsed but never confirm a payment, separated by commas',
  ),
  NAGAD_NOTICE_SENDER_IDS: namesOrNone('16167').describe(
    'Sender ids of Nagad whose SMS are parsed but never confirm a payment, separated by commas',
  ),
  ROCKET_SENDER_IDS: namesOrNone('16216').describe(
    'Sender ids of Rocket, separated by commas; its SMS are parsed but never confirm a payment',
  ),
  UPAY_SENDER_IDS: namesOrNone('upay,16268').describe(
    'Sender ids of Upay, separated by commas; its SMS are parsed but never confirm a payment',
  ),
  RATE_LIMIT_PAIRINGS_PER_MINUTE: integer({ min: 1, max: 10_000_000 })
    .default(10)
    .describe('Pairing attempts per minute from one client address; more are answered 429'),
  SMS_ENCRYPTION_KEYS: encryptionKeys().describe(
    'Keys that encrypt stored SMS texts, as id:base64 of 32 bytes, separated by commas; the first encrypts, every one decrypts',
  ),
  SMS_TEXT_RETENTION_DAYS: integer({ max: 36_500 })
    .default(90)
    .describe('Days that SMS texts are kept; the parsed fields stay. 0 keeps texts forever'),
  SMS_UNPARSED_TEXT_RETENTION_DAYS: integer({ max: 36_500 })
    .default(180)
    .describe(
      'Days that texts of UNPARSED SMS are kept, so that a later parser version can parse them. 0 keeps texts forever',
    ),
  RECORD_RETENTION_DAYS: integer({ min: RECORD_RETENTION.minDays, max: RECORD_RETENTION.maxDays })
    .default(RECORD_RETENTION.defaultDays)
    .describe(
      `Days that payment records are kept; set the same value in all services. SMS events and their texts are deleted ` +
        `${RECORD_RETENTION.extraDaysOfFollowers} days later than the decisions about them`,
    ),
  DEVICE_OFFLINE_SECONDS: integer({ min: 1, max: 86_400 })
    .default(DEVICE_OFFLINE_SECONDS)
    .describe('Seconds without a heartbeat after which a device is offline'),
  DEVICE_ALERT_SECONDS: integer({ min: 1, max: 86_400 })
    .default(300)
    .describe('Seconds without a heartbeat after which an offline device is logged at level warn'),
  DEVICE_REREAD_ASKS: integer({ min: 1, max: 10_000 })
    .default(10)
    .describe('Maximum number of requests to a phone to read one part of its inbox again while no new SMS arrives'),
  FORWARDER_SECRET_KEYS: encryptionKeys().describe(
    'Keys that decrypt the signing secrets of forwarder apps, as id:base64 of 32 bytes, separated by commas. Set the same keys in dashboard-api only',
  ),
  MISSING_SMS_GRACE_SECONDS: integer({ max: 86_400 })
    .default(120)
    .describe('Seconds to wait for late SMS before a balance difference is reported as a missing SMS'),
  ...intakeLimitSettings,
  DASHBOARD_API_URL: z
    .url()
    .describe('Private base URL of dashboard-api; used to look up device keys that are missing from the local copy'),
  PEER_SECRET_DASHBOARD_API: secretsSharedWith('dashboard-api'),
  PEER_SECRET_RECONCILER: secretsSharedWith('reconciler'),
});
export type SmsIngestConfig = z.infer<typeof smsIngestConfig>;

/** The senders whose texts are parsed, and those trusted to report received money. */
export function senderIdsOf(
  config: Pick<
    SmsIngestConfig,
    | 'BKASH_SENDER_IDS'
    | 'NAGAD_SENDER_IDS'
    | 'ROCKET_SENDER_IDS'
    | 'UPAY_SENDER_IDS'
    | 'BKASH_NOTICE_SENDER_IDS'
    | 'NAGAD_NOTICE_SENDER_IDS'
  >,
): SenderIds {
  return {
    BKASH: config.BKASH_SENDER_IDS,
    NAGAD: config.NAGAD_SENDER_IDS,
    ROCKET: config.ROCKET_SENDER_IDS,
    UPAY: config.UPAY_SENDER_IDS,
    notices: { BKASH: config.BKASH_NOTICE_SENDER_IDS, NAGAD: config.NAGAD_NOTICE_SENDER_IDS },
  };
}

/** The encryption keys, of which the first encrypts, and the retention of texts. */
export function textSettingsOf(
  config: Pick<SmsIngestConfig, 'SMS_ENCRYPTION_KEYS' | 'SMS_TEXT_RETENTION_DAYS' | 'SMS_UNPARSED_TEXT_RETENTION_DAYS'>,
) {
  const [currentKey] = config.SMS_ENCRYPTION_KEYS;
  if (currentKey === undefined) throw new RangeError('a list of keys is never empty');
  return {
    currentKey,
    retention: { days: config.SMS_TEXT_RETENTION_DAYS, unparsedDays: config.SMS_UNPARSED_TEXT_RETENTION_DAYS },
  };
}
