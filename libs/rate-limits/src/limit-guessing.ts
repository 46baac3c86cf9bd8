import { BusinessError } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { clientAddress } from './client-address';
import { Generations } from './generations';
import { refuse, type Words } from './limit-requests';
import type { Limiter } from './limiter';
import type { RateLimits } from './rate-limits';

const REMEMBER_MS = 600_000;
const MOST_REMEMBERED = 20_000;

export interface GuessingGuard {
  /** Goes before all credentials. */
  readonly before: RequestHandler;
  /** Goes behind the credential: remembers that this key is a good one. */
  readonly letIn: RequestHandler;
  /** Goes behind all routes: counts the answers 401. */
  readonly refused: ErrorRequestHandler;
}

/** Where a request has its credential. */
export interface Guessed {
  readonly credentialOf: (request: Request) => string | undefined;
  /** Whether an error says that nobody knows the credential. */
  readonly isWrong: (error: BusinessError, request: Request) => boolean;
  readonly words?: Words;
}

/**
 * Limits the attempts at unknown credentials. An address with too many of them gets 429 without a look-up of its
 * credential, unless this process has accepted that credential during the last minutes: a merchant who shares an
 * address with a guesser is not affected.
 */
export function limitUnknownCredentials(
  limits: Pick<RateLimits, 'noteRefusal'>,
  limiter: Limiter,
  clock: () => number,
  { credentialOf, isWrong, words }: Guessed,
): GuessingGuard {
  const goodHashes = new Generations<true>({ most: MOST_REMEMBERED, keepMs: REMEMBER_MS });
  const isGood = (credential: string | undefined) =>
    credential !== undefined && goodHashes.get(hashKey(credential), clock()) === true;

  return {
    before(request, response, next) {
      const result = limiter.size === 0 ? undefined : limiter.spent(clientAddress(request));
      if (result === undefined || isGood(credentialOf(request))) next();
      else refuse(limits, limiter, result, response, words?.(request));
    },
    letIn(request, _response, next) {
      const credential = credentialOf(request);
      if (credential !== undefined && !isGood(credential)) goodHashes.set(hashKey(credential), true, clock());
      next();
    },
    refused(error, request, _response, next) {
      if (error instanceof BusinessError && isWrong(error, request)) limiter.take(clientAddress(request));
      next(error);
    },
  };
}

/** The same for API keys. */
export function limitGuessing(
  limits: Pick<RateLimits, 'noteRefusal'>,
  limiter: Limiter,
  clock: () => number,
): GuessingGuard {
  return limitUnknownCredentials(limits, limiter, clock, {
    credentialOf: ({ headers }) => (typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : undefined),
    isWrong: ({ code }) => code === 'UNAUTHORIZED',
  });
}
