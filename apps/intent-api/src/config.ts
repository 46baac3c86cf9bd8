import { RECORD_RETENTION } from '@pay/contracts';
import { commonConfig, integer, secretsSharedWith } from '@pay/runtime';
import { merchantApiLimitSettings } from '@pay/rate-limits';
import { z } from 'zod';

export const intentApiConfig = z.object({
  ...commonConfig,
  ...merchantApiLimitSettings,
  CHECKOUT_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .describe('Public base URL of the hosted checkout; the checkoutUrl of an intent is this URL followed by /{id}'),
  DASHBOARD_API_URL: z
    .url()
    .describe('Private base URL of dashboard-api; used to look up API keys that are missing from the local copy'),
  PEER_SECRET_DASHBOARD_API: secretsSharedWith('dashboard-api'),
  PEER_SECRET_CHECKOUT_API: secretsSharedWith('checkout-api'),
  PEER_SECRET_RECONCILER: secretsSharedWith('reconciler'),
  RECORD_RETENTION_DAYS: integer({ min: RECORD_RETENTION.minDays, max: RECORD_RETENTION.maxDays })
    .default(RECORD_RETENTION.defaultDays)
    .describe(
      `Days that payment records are kept; set the same value in all services. Finished intents are deleted ${RECORD_RETENTION.extraDaysOfFollowers} ` +
        'days later than in reconciler',
    ),
});
export type IntentApiConfig = z.infer<typeof intentApiConfig>;
