import { environmentSchema, RECOVERABLE_DAYS } from '@pay/contracts';
import { checkedInProduction, commonConfig, encryptionKeys, flag, integer, networks, secrets } from '@pay/runtime';
import { merchantApiLimitSettings } from '@pay/rate-limits';
import { z } from 'zod';

/** The environment of webhook-dispatcher. */
export const webhookDispatcherConfig = z.object({
  ...commonConfig,
  ...merchantApiLimitSettings,
  DASHBOARD_API_URL: z.url({ protocol: /^https?$/ }).describe('Private base URL of dashboard-api'),
  PEER_SECRET_DASHBOARD_API: secrets().describe(
    'Secrets shared with dashboard-api alone, separated by commas: the first signs, all verify',
  ),
  SECRET_ENCRYPTION_KEYS: encryptionKeys().describe(
    'Keys that endpoint secrets are stored under, as id:base64 of 32 bytes, separated by commas; the first one seals',
  ),
  WEBHOOK_SANDBOX_ALLOWED_CIDRS: checkedInProduction(networks(), (value, env) =>
    value === undefined || flag().safeParse(env['WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION']).data === true
      ? []
      : ['must not be set in production unless WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION is'],
  )
    .default([])
    .describe('Non-public ranges that SANDBOX endpoints may be in, separated by commas; never for LIVE'),
  WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION: flag()
    .default(false)
    .describe('Lets WEBHOOK_SANDBOX_ALLOWED_CIDRS be set in production'),
  WEBHOOK_VERIFIED_ENVIRONMENTS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(z.union([environmentSchema, z.literal('none')], 'must be LIVE, SANDBOX, both with a comma, or none')))
    .transform((names) => names.filter((name) => name !== 'none'))
    .default(['LIVE'])
    .describe('Where endpoints are sent to only after they were verified: LIVE, SANDBOX, both with a comma, or none'),
  WEBHOOK_MAX_ENDPOINTS: integer({ min: 1, max: 1_000 })
    .default(16)
    .describe('Most endpoints of one merchant in one environment; a further registration is answered 409'),
  WEBHOOK_UNVERIFIED_PER_MINUTE: integer({ min: 1, max: 1_000_000 })
    .default(60)
    .describe(
      'Requests per minute to one host for endpoints that are not verified, of all merchants together, and how many may be sent at once; ' +
        'further deliveries wait',
    ),
  WEBHOOK_VERIFICATIONS_PER_MINUTE: integer({ min: 1, max: 1_000_000 })
    .default(10)
    .describe('Verifications per minute of one merchant at one host; further ones are answered 429'),
  WEBHOOK_DELIVERY_DAYS: integer({ min: 1, max: 3_650 })
    .refine(
      (days) => days >= RECOVERABLE_DAYS,
      `must be at least ${RECOVERABLE_DAYS}: a recovery reaches so many days back and would send deleted deliveries again`,
    )
    .default(RECOVERABLE_DAYS)
    .describe(
      'Days that a delivery and its attempts are kept after its end; at least the 30 days that a recovery reaches back',
    ),
  WEBHOOK_EVENT_DAYS: integer({ min: 1, max: 3_650 })
    .default(90)
    .describe('Days that events are kept in the feed; recoveries find no older ones'),
  WEBHOOK_TIME_SCALE: checkedInProduction(
    z
      .string()
      .regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a decimal number')
      .transform(Number)
      .refine((scale) => scale > 0 && scale <= 1, 'must be more than 0 and at most 1'),
    (value) => (value === undefined || Number(value) === 1 ? [] : ['must not be set in production']),
  )
    .default(1)
    .describe('Shortens every wait of the retry schedule; for tests'),
  WEBHOOK_SLOTS: integer({ min: 1, max: 2_000 }).default(200).describe('Most webhook requests in flight per process'),
  WEBHOOK_SLOTS_PER_ENDPOINT: integer({ min: 1, max: 100 })
    .default(8)
    .describe('Most webhook requests in flight to one endpoint per process'),
  WEBHOOK_POLL_MS: integer({ min: 50, max: 10_000 }).default(500).describe('How often due deliveries are looked for'),
});
export type WebhookDispatcherConfig = z.infer<typeof webhookDispatcherConfig>;
