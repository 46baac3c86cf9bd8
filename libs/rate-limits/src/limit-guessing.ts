import { ApiError, callerOf, hashKey } from '@pay/http';
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

/** What is tried where it is no API key. */
export interface Guessed {
  readonly credentialOf: (request: Request) => string | undefined;
  /** Whether an error says that nobody knows the credential. */
  readonly isWrong: (error: ApiError, request: Request) => boolean;
  readonly words?: Words;
}

/** The same for credentials of any kind; they are hashed with every request. */
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
      if (error instanceof ApiError && isWrong(error, request)) limiter.take(clientAddress(request));
      next(error);
    },
  };
}

/**
 * Slows down who tries keys. An address with too many answers 401 hears 429 without its key being looked up, unless this process has let
 * that very key in during the last minutes: a merchant who shares the address of a guesser notices nothing. A key that nobody has used
 * lately gets its turn as the address's limit refills.
 */
export function limitGuessing(
  limits: Pick<RateLimits, 'noteRefusal'>,
  limiter: Limiter,
  clock: () => number,
): GuessingGuard {
  const bounds = { most: MOST_REMEMBERED, keepMs: REMEMBER_MS };
  const goodHashes = new Generations<true>(bounds);
  // A key is hashed once in a while and not with every request.
  const hashes = new Generations<string>(bounds);

  const isGood = (key: unknown) => typeof key === 'string' && goodHashes.get(hashKey(key), clock()) === true;

  return {
    before(request, response, next) {
      const result = limiter.size === 0 ? undefined : limiter.spent(clientAddress(request));
      if (result === undefined || isGood(request.headers['x-api-key'])) next();
      else refuse(limits, limiter, result, response);
    },
    letIn(request, response, next) {
      const now = clock();
      const { keyId } = callerOf(response);
      let hash = hashes.get(keyId, now);
      if (hash === undefined) {
        hash = hashKey(String(request.headers['x-api-key']));
        hashes.set(keyId, hash, now);
      }
      if (goodHashes.get(hash, now) === undefined) goodHashes.set(hash, true, now);
      next();
    },
    refused(error, request, _response, next) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') limiter.take(clientAddress(request));
      next(error);
    },
  };
}
