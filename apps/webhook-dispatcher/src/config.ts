import { environmentSchema, RECOVERABLE_DAYS } from '@pay/contracts';
import {
  checkedInProduction,
  commonConfig,
  encryptionKeys,
  flag,
  integer,
  networks,
  secretsSharedWith,
} from '@pay/runtime';
import { merchantApiLimitSettings } from '@pay/rate-limits';
import { z } from 'zod';

/**
 * More than the recoverable period: a recovery from its earliest time would otherwise send deliveries again whose rows
 * were just deleted.
 */
const LEAST_DELIVERY_DAYS = RECOVERABLE_DAYS + 1;

export const webhookDispatcherConfig = z.object({
  ...commonConfig,
  ...merchantApiLimitSettings,
  DASHBOARD_API_URL: z
    .url({ protocol: /^https?$/ })
    .describe('Private base URL of dashboard-api; used to look up API keys that are missing from the local copy'),
  PEER_SECRET_DASHBOARD_API: secretsSharedWith('dashboard-api'),
  SECRET_ENCRYPTION_KEYS: encryptionKeys().describe(
    'Keys that encrypt endpoint secrets, as id:base64 of 32 bytes, separated by commas; the first encrypts, every one decrypts',
  ),
  WEBHOOK_SANDBOX_ALLOWED_CIDRS: checkedInProduction(networks(), (value, env) =>
    value === undefined || flag().safeParse(env['WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION']).data === true
      ? []
      : ['must not be set in production unless WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION is true'],
  )
    .default([])
    .describe('Non-public CIDR ranges that SANDBOX endpoints may use, separated by commas; LIVE endpoints never may'),
  WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION: flag()
    .default(false)
    .describe('true allows WEBHOOK_SANDBOX_ALLOWED_CIDRS in production'),
  WEBHOOK_VERIFIED_ENVIRONMENTS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(
      z.array(
        z.union([environmentSchema, z.literal('none')], 'must be LIVE, SANDBOX, both separated by a comma, or none'),
      ),
    )
    .transform((names) => names.filter((name) => name !== 'none'))
    .default(['LIVE'])
    .describe(
      'Environments in which only verified endpoints receive webhooks: LIVE, SANDBOX, both separated by a comma, or none',
    ),
  WEBHOOK_MAX_ENDPOINTS: integer({ min: 1, max: 1_000 })
    .default(16)
    .describe('Maximum number of endpoints per merchant and environment; more registrations are answered 409'),
  WEBHOOK_UNVERIFIED_PER_MINUTE: integer({ min: 1, max: 1_000_000 })
    .default(60)
    .describe(
      'Requests per minute to one host for unverified endpoints of all merchants together, also the largest burst; further deliveries wait',
    ),
  WEBHOOK_VERIFICATIONS_PER_MINUTE: integer({ min: 1, max: 1_000_000 })
    .default(10)
    .describe('Endpoint verifications per minute by one merchant at one host; more are answered 429'),
  WEBHOOK_DELIVERY_DAYS: integer({ min: 1, max: 3_650 })
    .refine(
      (days) => days >= LEAST_DELIVERY_DAYS,
      `must be at least ${LEAST_DELIVERY_DAYS}: a recovery covers ${RECOVERABLE_DAYS} days and would create deleted deliveries again`,
    )
    .default(LEAST_DELIVERY_DAYS)
    .describe(
      `Days that a finished delivery and its attempts are kept; at least ${LEAST_DELIVERY_DAYS}, because a recovery covers ${RECOVERABLE_DAYS}`,
    ),
  WEBHOOK_EVENT_DAYS: integer({ min: 1, max: 3_650 })
    .default(90)
    .describe('Days that events are kept in the event feed; older events cannot be recovered'),
  WEBHOOK_TIME_SCALE: checkedInProduction(
    z
      .string()
      .regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a decimal number')
      .transform(Number)
      .refine((scale) => scale > 0 && scale <= 1, 'must be more than 0 and at most 1'),
    (value) => (value === undefined || Number(value) === 1 ? [] : ['must not be set in production']),
  )
    .default(1)
    .describe('Factor that shortens every wait of the retry schedule, more than 0 and at most 1; for tests only'),
  WEBHOOK_SLOTS: integer({ min: 1, max: 2_000 })
    .default(200)
    .describe(
      'Maximum number of concurrent webhook requests per process; a quarter is reserved for first attempts, one per endpoint, to endpoints that are neither slow nor failing',
    ),
  WEBHOOK_SLOTS_PER_ENDPOINT: integer({ min: 1, max: 100 })
    .default(8)
    .describe('Maximum number of concurrent webhook requests to one endpoint per process'),
  WEBHOOK_POLL_MS: integer({ min: 50, max: 10_000 })
    .default(500)
    .describe('Milliseconds between two queries for due deliveries'),
});
export type WebhookDispatcherConfig = z.infer<typeof webhookDispatcherConfig>;
