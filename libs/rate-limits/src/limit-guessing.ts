import { BusinessError } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { clientAddress } from './client-address';
import { Generations } from './generations';
import { refuse, type FormatRefusal } from './limit-requests';
import type { Limiter } from './limiter';
import type { RateLimits } from './rate-limits';

const REMEMBER_MS = 600_000;
const MOST_REMEMBERED = 20_000;

export interface GuessingGuard {
  readonly before: RequestHandler;
  /** Mounted after the credential: records that this credential is valid. */
  readonly accepted: RequestHandler;
  /** Mounted after all routes: counts responses 401. */
  readonly refused: ErrorRequestHandler;
}

export interface Guessed {
  readonly credentialOf: (request: Request) => string | undefined;
  readonly isWrong: (error: BusinessError, request: Request) => boolean;
  readonly formatRefusal?: FormatRefusal;
}

/**
 * Limits attempts with unknown credentials per address: beyond the limit the response is 429 without a look-up.
 * Credentials that this process accepted in the last minutes are exempt, so a merchant who shares an address with an
 * attacker is not affected.
 */
export function limitUnknownCredentials(
  limits: Pick<RateLimits, 'noteRefusal'>,
  limiter: Limiter,
  clock: () => number,
  { credentialOf, isWrong, formatRefusal }: Guessed,
): GuessingGuard {
  const goodHashes = new Generations<true>({ most: MOST_REMEMBERED, keepMs: REMEMBER_MS });
  const isGood = (credential: string | undefined) =>
    credential !== undefined && goodHashes.get(hashKey(credential), clock()) === true;

  return {
    before(request, response, next) {
      const result = limiter.size === 0 ? undefined : limiter.spent(clientAddress(request));
      if (result === undefined || isGood(credentialOf(request))) next();
      else refuse(limits, limiter, result, response, formatRefusal?.(request));
    },
    accepted(request, _response, next) {
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
