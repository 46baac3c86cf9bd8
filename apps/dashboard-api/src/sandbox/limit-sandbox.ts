import { BusinessError, type Operation } from '@pay/contracts';
import {
  limitMerchantApi,
  limitUnknownCredentials,
  type Limiter,
  type MerchantApiLimitValues,
  type RateLimits,
} from '@pay/rate-limits';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

export interface SandboxLimitValues extends MerchantApiLimitValues {
  readonly RATE_LIMIT_TEST_WEBHOOKS_PER_SECOND: number;
  readonly RATE_LIMIT_UNSIGNED_TEST_WEBHOOKS_PER_MINUTE: number;
}

export interface TestEndpointLimits {
  /** Exempts the client address from the limit, because the token of the request is valid. */
  readonly tokenFound: (request: Request, response: Response) => void;
  /** Throws RATE_LIMITED beyond the limit of the merchant. */
  readonly take: (kind: 'signed' | 'unsigned', merchantId: string) => void;
}

export interface SandboxLimits extends TestEndpointLimits {
  readonly before: RequestHandler;
  readonly guard: (operation: Operation) => readonly RequestHandler[];
  readonly after: ErrorRequestHandler;
}

/** Express ignores the case of a path when it selects a route. */
const SANDBOX_PATH = '/v1/sandbox/';
const TEST_ENDPOINT_PATH = '/v1/sandbox/test-endpoints/';

/** Requests of a session use the limit of their user. All other requests of the sandbox are counted here. */
export function limitSandbox(
  limits: RateLimits,
  values: SandboxLimitValues,
  { limitSession, clock }: { readonly limitSession: RequestHandler; readonly clock: () => number },
): SandboxLimits {
  const merchantApi = limitMerchantApi(limits, values, clock);
  const count = values.RATE_LIMIT_UNAUTHORIZED_PER_MINUTE;
  const unknownTokens = limitUnknownCredentials(
    limits,
    limits.limiter({ name: 'unknown_test_endpoint', count, seconds: 60 }),
    clock,
    {
      credentialOf: ({ params }) => (typeof params['token'] === 'string' ? params['token'] : undefined),
      isWrong: ({ code }, { path }) => code === 'NOT_FOUND' && path.toLowerCase().startsWith(TEST_ENDPOINT_PATH),
    },
  );
  const received = {
    signed: limits.limiter({
      name: 'test_webhook',
      count: values.RATE_LIMIT_TEST_WEBHOOKS_PER_SECOND,
      seconds: 1,
    }),
    unsigned: limits.limiter({
      name: 'unsigned_test_webhook',
      count: values.RATE_LIMIT_UNSIGNED_TEST_WEBHOOKS_PER_MINUTE,
      seconds: 60,
    }),
  };
  return {
    before: (request, response, next) => {
      if (hasSandboxKey(request)) merchantApi.before(request, response, next);
      else next();
    },
    guard: ({ id, credential }) => {
      if (credential.kind === 'apiKey') return merchantApi.guard();
      if (credential.kind === 'session') return [limitSession];
      return id === 'receiveTestWebhook' ? [unknownTokens.before] : [];
    },
    after: (error, request, response, next) => {
      const tokens = (left: unknown) => void unknownTokens.refused(left, request, response, next);
      // Requests with an expired session also get 401, but guess no key.
      if (hasSandboxKey(request)) void merchantApi.after(error, request, response, tokens);
      else tokens(error);
    },
    tokenFound: (request, response) => unknownTokens.accepted(request, response, () => undefined),
    take: (kind, merchantId) => takeOne(limits, received[kind], merchantId),
  };
}

function hasSandboxKey({ headers, path }: Request): boolean {
  return headers['x-api-key'] !== undefined && path.toLowerCase().startsWith(SANDBOX_PATH);
}

function takeOne(limits: Pick<RateLimits, 'noteRefusal'>, limiter: Limiter, merchantId: string): void {
  const { allowed, retryAfterMs } = limiter.take(merchantId);
  if (allowed) return;
  limits.noteRefusal(limiter);
  throw new BusinessError('RATE_LIMITED', undefined, Math.max(1, Math.ceil(retryAfterMs / 1_000)));
}
