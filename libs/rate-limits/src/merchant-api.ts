import { DEFAULT_RATE_LIMITS } from '@pay/contracts';
import { integer } from '@pay/runtime';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { limitGuessing } from './limit-guessing';
import { limitApiKeys } from './limit-requests';
import type { RateLimits } from './rate-limits';

export const merchantApiLimitSettings = {
  RATE_LIMIT_LIVE_PER_SECOND: integer({ min: 1, max: 1_000_000 })
    .default(DEFAULT_RATE_LIMITS.apiKeyPerSecond.LIVE)
    .describe(
      'Requests per second with one LIVE API key at this service, also the largest burst; more are answered 429',
    ),
  RATE_LIMIT_SANDBOX_PER_SECOND: integer({ min: 1, max: 1_000_000 })
    .default(DEFAULT_RATE_LIMITS.apiKeyPerSecond.SANDBOX)
    .describe(
      'Requests per second with one SANDBOX API key at this service, also the largest burst; more are answered 429',
    ),
  RATE_LIMIT_LIVE_MERCHANT_PER_SECOND: integer({ min: 1, max: 1_000_000 })
    .default(DEFAULT_RATE_LIMITS.merchantPerSecond.LIVE)
    .describe(
      'Requests per second with all LIVE API keys of one merchant at this service, also the largest burst; more are answered 429',
    ),
  RATE_LIMIT_SANDBOX_MERCHANT_PER_SECOND: integer({ min: 1, max: 1_000_000 })
    .default(DEFAULT_RATE_LIMITS.merchantPerSecond.SANDBOX)
    .describe(
      'Requests per second with all SANDBOX API keys of one merchant at this service, also the largest burst; more are answered 429',
    ),
  RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: integer({ min: 1, max: 1_000_000 })
    .default(300)
    .describe(
      'Responses 401 per minute to one client address; beyond it only recently used API keys are accepted, others are answered 429',
    ),
};

export type MerchantApiLimitValues = Readonly<Record<keyof typeof merchantApiLimitSettings, number>>;

export interface MerchantApiLimits {
  readonly before: RequestHandler;
  /** The `guard` of `operationServer`, mounted after the credential. */
  readonly guard: () => readonly RequestHandler[];
  /** Mounted after all routes. */
  readonly after: ErrorRequestHandler;
}

/**
 * One bucket per API key, one per merchant and environment, and a limit of 401 responses per address. Each service
 * counts separately.
 */
export function limitMerchantApi(
  limits: RateLimits,
  values: MerchantApiLimitValues,
  clock: () => number,
): MerchantApiLimits {
  const perSecond = (name: string, count: number) => limits.limiter({ name, count, seconds: 1 });
  const perKey = limitApiKeys(limits, {
    LIVE: {
      key: perSecond('api_key_live', values.RATE_LIMIT_LIVE_PER_SECOND),
      merchant: perSecond('merchant_live', values.RATE_LIMIT_LIVE_MERCHANT_PER_SECOND),
    },
    SANDBOX: {
      key: perSecond('api_key_sandbox', values.RATE_LIMIT_SANDBOX_PER_SECOND),
      merchant: perSecond('merchant_sandbox', values.RATE_LIMIT_SANDBOX_MERCHANT_PER_SECOND),
    },
  });
  const unauthorized = { name: 'unauthorized', count: values.RATE_LIMIT_UNAUTHORIZED_PER_MINUTE, seconds: 60 };
  const guessing = limitGuessing(limits, limits.limiter(unauthorized), clock);
  const behindCredential = [guessing.accepted, perKey];
  return { before: guessing.before, guard: () => behindCredential, after: guessing.refused };
}
