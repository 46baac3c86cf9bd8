import { DEVICE_OFFLINE_SECONDS, RECORD_RETENTION } from '@pay/contracts';
import { commonConfig, encryptionKeys, integer, secrets } from '@pay/runtime';
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
const names = (fallback: string) => namesOrNone(fallback).refine((list) => list.length > 0, 'must name at least one');

/** The environment of sms-ingest. */
export const smsIngestConfig = z.object({
  ...commonConfig,
  BKASH_SENDER_IDS: names('bKash').describe(
    'Sender ids trusted to be bKash, as whole names; one that is spelled otherwise in upper and lower case carries a signal',
  ),
  NAGAD_SENDER_IDS: names('NAGAD,Nagad').describe(
    'Sender ids trusted to be Nagad, as whole names; one that is spelled otherwise in upper and lower case carries a signal',
  ),
  BKASH_NOTICE_SENDER_IDS: namesOrNone('16247').describe('Sender ids of bKash whose texts are read but never evidence'),
  NAGAD_NOTICE_SENDER_IDS: namesOrNone('16167').describe('Sender ids of Nagad whose texts are read but never evidence'),
  ROCKET_SENDER_IDS: namesOrNone('16216').describe('Sender ids of Rocket: its texts are read but never evidence'),
  UPAY_SENDER_IDS: namesOrNone('upay,16268').describe('Sender ids of Upay: its texts are read but never evidence'),
  RATE_LIMIT_PAIRINGS_PER_MINUTE: integer({ min: 1, max: 10_000_000 })
    .default(10)
    .describe('Pairings that are tried per minute and client address'),
  SMS_ENCRYPTION_KEYS: encryptionKeys().describe(
    'Keys that texts are stored under, as id:base64 of 32 bytes, separated by commas; the first one seals',
  ),
  SMS_TEXT_RETENTION_DAYS: integer({ max: 36_500 })
    .default(90)
    .describe('Days that texts are kept; what was read from them stays. 0: for ever'),
  SMS_UNPARSED_TEXT_RETENTION_DAYS: integer({ max: 36_500 })
    .default(180)
    .describe('The same for UNPARSED texts, which a later version may be able to read'),
  RECORD_RETENTION_DAYS: integer({ min: RECORD_RETENTION.minDays, max: RECORD_RETENTION.maxDays })
    .default(RECORD_RETENTION.defaultDays)
    .describe(
      `Days that records of payments are kept; the same in all services. SMS events are deleted ${RECORD_RETENTION.extraDaysOfFollowers} ` +
        'days later than the decisions about them, with their texts',
    ),
  DEVICE_OFFLINE_SECONDS: integer({ min: 1, max: 86_400 })
    .default(DEVICE_OFFLINE_SECONDS)
    .describe('Seconds of silence after which a device that sends heartbeats is offline'),
  DEVICE_ALERT_SECONDS: integer({ min: 1, max: 86_400 })
    .default(300)
    .describe('Seconds of silence after which an offline device is told of in the log, at warn'),
  DEVICE_REREAD_ASKS: integer({ min: 1, max: 10_000 })
    .default(10)
    .describe('Times that a phone is asked to read one part of its inbox again while nothing comes of it'),
  FORWARDER_SECRET_KEYS: encryptionKeys().describe(
    'Keys that signing secrets of forwarder apps are sealed under, shared with dashboard-api alone, as id:base64 of 32 bytes',
  ),
  MISSING_SMS_GRACE_SECONDS: integer({ max: 86_400 })
    .default(120)
    .describe('Seconds that texts may be on their way before one that a balance tells of is called missing'),
  ...intakeLimitSettings,
  DASHBOARD_API_URL: z.url().describe('Private address of dashboard-api, asked about device keys the local copy lacks'),
  PEER_SECRET_DASHBOARD_API: secrets().describe(
    'Secrets shared with dashboard-api alone, separated by commas: the first signs, all verify',
  ),
  PEER_SECRET_RECONCILER: secrets().describe(
    'Secrets shared with reconciler alone, separated by commas: the first signs, all verify',
  ),
});
export type SmsIngestConfig = z.infer<typeof smsIngestConfig>;

/** Whose texts are read, and who is trusted to tell of money that came in. */
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

/** Which key seals from now on, and how long texts are kept. */
export function textSettingsOf(config: SmsIngestConfig) {
  const [currentKey] = config.SMS_ENCRYPTION_KEYS;
  if (currentKey === undefined) throw new RangeError('a list of keys is never empty');
  return {
    currentKey,
    retention: { days: config.SMS_TEXT_RETENTION_DAYS, unparsedDays: config.SMS_UNPARSED_TEXT_RETENTION_DAYS },
    recordRetentionDays: config.RECORD_RETENTION_DAYS,
  };
}
