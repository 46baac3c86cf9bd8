import { commonConfig, secret } from '@pay/runtime';
import { z } from 'zod';

/** The environment of checkout-api. */
export const checkoutApiConfig = z.object({
  ...commonConfig,
  INTENT_API_URL: z.url().describe('Private address of intent-api, asked for intents whose event has not arrived'),
  RECONCILER_URL: z
    .url()
    .describe('Private address of reconciler, asked to judge claims and to settle overdue intents'),
  PEER_SECRET_INTENT_API: secret().describe('Secret shared with intent-api alone'),
  PEER_SECRET_RECONCILER: secret().describe('Secret shared with reconciler alone'),
});
export type CheckoutApiConfig = z.infer<typeof checkoutApiConfig>;
