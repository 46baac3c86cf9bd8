import { DEFAULT_RATE_LIMITS } from '@pay/contracts';
import { commonConfig, integer, secretsSharedWith } from '@pay/runtime';
import { z } from 'zod';

const atOnce = (count: number) => integer({ min: 1, max: 1_000_000 }).default(count);
const perMinute = (count: number) => integer({ min: 1, max: 10_000_000 }).default(count);

export const checkoutApiConfig = z.object({
  ...commonConfig,
  INTENT_API_URL: z
    .url()
    .describe('Private base URL of intent-api; used to load intents that are missing from the local copy'),
  RECONCILER_URL: z
    .url()
    .describe('Private base URL of reconciler; used to decide claims and to expire overdue intents'),
  PEER_SECRET_INTENT_API: secretsSharedWith('intent-api'),
  PEER_SECRET_RECONCILER: secretsSharedWith('reconciler'),
  PEER_SECRET_DASHBOARD_API: secretsSharedWith('dashboard-api'),
  RATE_LIMIT_VIEWS_PER_MINUTE: perMinute(DEFAULT_RATE_LIMITS.checkoutViewsPerMinute).describe(
    'Requests per minute for the view of one checkout from one client address; more are answered 429',
  ),
  RATE_LIMIT_ADDRESS_PER_MINUTE: perMinute(DEFAULT_RATE_LIMITS.checkoutAddressPerMinute).describe(
    'Requests per minute for views of all checkouts from one client address; more are answered 429. Mobile carriers put thousands of phones behind one address',
  ),
  RATE_LIMIT_METHODS_PER_MINUTE: perMinute(30).describe(
    'Choices of a payment method per minute for one intent, from all addresses together; more are answered 429',
  ),
  RATE_LIMIT_CONFIRMS_PER_MINUTE: perMinute(DEFAULT_RATE_LIMITS.checkoutConfirmsPerMinute).describe(
    'Confirm requests per minute for one intent, from all addresses together; more are answered 429',
  ),
  RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE: perMinute(300).describe(
    'Unsuccessful confirm requests per minute from one client address, beyond the first two of each intent; more are answered 429. ' +
      'Confirm requests for unknown intents are counted separately, with the same limit',
  ),
  RATE_LIMIT_STREAMS_PER_ADDRESS: atOnce(1_000).describe(
    'Open event streams of one client address per replica; more are answered 429',
  ),
  RATE_LIMIT_STREAMS_PER_INTENT: atOnce(20).describe(
    'Open event streams of one intent per replica; more are answered 429',
  ),
  RATE_LIMIT_STREAMS_PER_REPLICA: atOnce(5_000).describe(
    'Open event streams per replica; more are answered 429 and their clients poll the view instead',
  ),
  STREAM_SECONDS: integer({ min: 10, max: 86_400 })
    .default(900)
    .describe(
      'Maximum duration of an event stream in seconds; each stream is closed up to a quarter earlier at random, and its client reconnects',
    ),
  CLAIM_RETENTION_DAYS: integer({ min: 7, max: 3_650 })
    .default(180)
    .describe('Days after its submission when a TrxID claim is deleted'),
  INTENT_COPY_RETENTION_DAYS: integer({ min: 15, max: 3_650 })
    .default(30)
    .describe(
      'Days after its creation when the local copy of a finished intent is deleted; later views load it from intent-api. ' +
        'At least 15, because events up to that age can be delivered again',
    ),
});
export type CheckoutApiConfig = z.infer<typeof checkoutApiConfig>;
