import { commonConfig, integer, secrets } from '@pay/runtime';
import { z } from 'zod';

const atOnce = (count: number) => integer({ min: 1, max: 1_000_000 }).default(count);
const perMinute = (count: number) => integer({ min: 1, max: 10_000_000 }).default(count);

/** The environment of checkout-api. */
export const checkoutApiConfig = z.object({
  ...commonConfig,
  INTENT_API_URL: z.url().describe('Private address of intent-api, asked for intents whose event has not arrived'),
  RECONCILER_URL: z
    .url()
    .describe('Private address of reconciler, asked to judge claims and to settle overdue intents'),
  PEER_SECRET_INTENT_API: secrets().describe(
    'Secrets shared with intent-api alone, separated by commas: the first signs, all verify',
  ),
  PEER_SECRET_RECONCILER: secrets().describe(
    'Secrets shared with reconciler alone, separated by commas: the first signs, all verify',
  ),
  RATE_LIMIT_VIEWS_PER_MINUTE: perMinute(60).describe('Views of one checkout per minute and client address'),
  RATE_LIMIT_ADDRESS_PER_MINUTE: perMinute(3_000).describe(
    'Views of all checkouts per minute and client address; carriers put thousands of phones behind one',
  ),
  RATE_LIMIT_METHODS_PER_MINUTE: perMinute(30).describe(
    'Choices of a payment method per minute and intent, from any address',
  ),
  RATE_LIMIT_CONFIRMS_PER_MINUTE: perMinute(10).describe('Confirms of one intent per minute, from any address'),
  RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE: perMinute(300).describe(
    'Confirms per minute and client address that name no matching payment',
  ),
  RATE_LIMIT_STREAMS_PER_ADDRESS: atOnce(1_000).describe('Event streams open at once for one client address'),
  RATE_LIMIT_STREAMS_PER_INTENT: atOnce(20).describe('Event streams open at once for one intent'),
  RATE_LIMIT_STREAMS_PER_REPLICA: atOnce(5_000).describe(
    'Event streams open at once in all; who gets none polls the view',
  ),
  STREAM_SECONDS: integer({ min: 10, max: 86_400 })
    .default(900)
    .describe(
      'Seconds after which the client of an event stream is asked to come again, less up to a quarter at random',
    ),
  CLAIM_RETENTION_DAYS: integer({ min: 7, max: 3_650 })
    .default(180)
    .describe('Days after its submission at which a TrxID claim is deleted'),
  INTENT_COPY_RETENTION_DAYS: integer({ min: 15, max: 3_650 })
    .default(30)
    .describe(
      'Days after the creation of an intent at which the copy of an ended one is deleted; a later view asks intent-api. At least 15: ' +
        'older events are not delivered again',
    ),
});
export type CheckoutApiConfig = z.infer<typeof checkoutApiConfig>;
