import { commonConfig, secret } from '@pay/runtime';
import { z } from 'zod';

/** A comma-separated list. Example: "bKash,16247" */
const names = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    .refine((list) => list.length > 0, 'must name at least one');

/** The environment of sms-ingest. */
export const smsIngestConfig = z.object({
  ...commonConfig,
  BKASH_SENDER_IDS: names('bKash').describe('Sender ids trusted to be bKash, as whole names'),
  NAGAD_SENDER_IDS: names('NAGAD').describe('Sender ids trusted to be Nagad, as whole names'),
  DASHBOARD_API_URL: z.url().describe('Private address of dashboard-api, asked about device keys the local copy lacks'),
  PEER_SECRET_DASHBOARD_API: secret().describe('Secret shared with dashboard-api alone'),
  PEER_SECRET_RECONCILER: secret().describe('Secret shared with reconciler alone'),
});
export type SmsIngestConfig = z.infer<typeof smsIngestConfig>;
