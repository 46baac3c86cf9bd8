import { RECORD_RETENTION } from '@pay/contracts';
import { commonConfig, integer, secrets } from '@pay/runtime';
import { merchantApiLimitSettings } from '@pay/rate-limits';
import { z } from 'zod';

/** The environment of intent-api. */
export const intentApiConfig = z.object({
  ...commonConfig,
  ...merchantApiLimitSettings,
  CHECKOUT_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .describe('Public address of the hosted checkout; an intent’s page is this address, a slash and its id'),
  DASHBOARD_API_URL: z
    .url()
    .describe('Private address of dashboard-api, asked about API keys that the local copy lacks'),
  PEER_SECRET_DASHBOARD_API: secrets().describe(
    'Secrets shared with dashboard-api alone, separated by commas: the first signs, all verify',
  ),
  PEER_SECRET_CHECKOUT_API: secrets().describe(
    'Secrets shared with checkout-api alone, separated by commas: the first signs, all verify',
  ),
  PEER_SECRET_RECONCILER: secrets().describe(
    'Secrets shared with reconciler alone, separated by commas: the first signs, all verify',
  ),
  RECORD_RETENTION_DAYS: integer({ min: RECORD_RETENTION.minDays, max: RECORD_RETENTION.maxDays })
    .default(RECORD_RETENTION.defaultDays)
    .describe(
      `Days that records of payments are kept; the same in all services. Ended intents are deleted ${RECORD_RETENTION.extraDaysOfFollowers} ` +
        'days later than in reconciler',
    ),
});
export type IntentApiConfig = z.infer<typeof intentApiConfig>;
