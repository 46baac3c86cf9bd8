import type { Environment } from '@pay/contracts';
import { BusinessError } from '@pay/contracts';
import { answerRefusal, callerOf, deviceOf, sessionOf } from '@pay/http';
import type { Request, RequestHandler, Response } from 'express';
import { clientAddress } from './client-address';
import type { Limiter, LimitResult } from './limiter';
import type { ProcessLimiter, RateLimits } from './rate-limits';

type Refusals = Pick<RateLimits, 'noteRefusal'>;

export interface ApiKeyLimiters {
  readonly key: Limiter;
  /** Limit of all keys of a merchant together, so that more keys do not allow more requests. */
  readonly merchant: Limiter;
}

/** Mount it after the credential check. A request counts for both limits or for neither. */
export function limitApiKeys(
  limits: Refusals,
  limiters: Readonly<Record<Environment, ApiKeyLimiters>>,
): RequestHandler {
  return (_request, response, next) => {
    const { environment, keyId, merchantId } = callerOf(response);
    const { key, merchant } = limiters[environment];
    if (!admit(limits, key, keyId, response)) return;
    if (admit(limits, merchant, merchantId, response)) next();
    else key.undoTake(keyId);
  };
}

/** Another response than 429, for clients that would treat 429 as a permanent error. */
export type FormatRefusal = (request: Request) => (refusal: BusinessError) => BusinessError;

/** Mount it after the device key check. */
export function limitDevices(limits: Refusals, limiter: Limiter): RequestHandler {
  return (_request, response, next) => {
    if (admit(limits, limiter, deviceOf(response).id, response)) next();
  };
}

/**
 * Counted per client address: the signature is not verified yet, so others who know a hook must not use up the limit of
 * its forwarder.
 */
export function limitHooks(limits: Refusals, limiter: Limiter, formatRefusal: FormatRefusal): RequestHandler {
  return (request, response, next) => {
    const subject = `${deviceOf(response).id} ${clientAddress(request)}`;
    if (admit(limits, limiter, subject, response, formatRefusal(request))) next();
  };
}

/** One limit for all sessions of a user. Mount it after the session check. */
export function limitSessions(limits: Refusals, limiter: Limiter): RequestHandler {
  return (_request, response, next) => {
    if (admit(limits, limiter, sessionOf(response).userId, response)) next();
  };
}

/** If callers can invent subjects, such as ids of intents, `isKnown` returns whether this one exists. */
export function limitRequests(
  limits: Refusals,
  limiter: Limiter,
  subjectOf: (request: Request) => string,
  isKnown: (request: Request) => boolean = () => true,
): RequestHandler {
  return (request, response, next) => {
    if (sendResult(limits, limiter, limiter.take(subjectOf(request), isKnown(request)), response)) next();
  };
}

/** Requests that are admitted without being counted, such as the first ones of each intent. */
export interface Allowance {
  readonly limiter: ProcessLimiter;
  readonly subjectOf: (request: Request) => string;
}

/** Responses to input that is rejected before its names are looked up. */
const NOT_LOOKED_UP: readonly number[] = [400, 413, 415];
/** Responses to requests that contained no attempt. */
const WITHOUT_ATTEMPT: readonly number[] = [...NOT_LOOKED_UP, 404];

/**
 * Limits failures: each request counts when it arrives, so that concurrent ones cannot exceed the limit, and `forgive`
 * undoes this. Responses 5xx and responses to input without an attempt are undone too.
 */
export function limitFailures(
  limits: Refusals,
  limiter: Limiter,
  subjectOf: (request: Request) => string,
  allowance?: Allowance,
): RequestHandler {
  return (request, response, next) => {
    const allowed = allowance?.subjectOf(request);
    if (allowance && allowed !== undefined && allowance.limiter.take(allowed).allowed) {
      undoIfForgiven(response, () => allowance.limiter.undoTake(allowed));
      next();
      return;
    }
    const subject = subjectOf(request);
    if (!admit(limits, limiter, subject, response)) return;
    undoIfForgiven(response, () => limiter.undoTake(subject));
    next();
  };
}

function undoIfForgiven(response: Response, undo: () => void): void {
  (response as Forgivable)[FORGIVE] = () => {
    undo();
    (response as Forgivable)[FORGIVE] = undefined;
  };
  response.once('close', () => {
    if (response.statusCode >= 500 || WITHOUT_ATTEMPT.includes(response.statusCode)) forgive(response);
  });
}

export interface InventedNames {
  readonly nameOf: (request: Request) => string;
  readonly isKnown: (name: string) => boolean;
  readonly find: (name: string) => Promise<boolean>;
}

/**
 * Limits requests for names that callers may have invented. A name that is still unknown when the response ends has
 * used the limit; a name that `isKnown` finds before or during the request has not.
 */
export function limitInvented(
  limits: Refusals,
  limiter: Limiter,
  subjectOf: (request: Request) => string,
  { nameOf, isKnown, find }: InventedNames,
): RequestHandler {
  return async (request, response, next) => {
    // Read before the response: Express clears the parameters of the route when an error leaves it.
    const name = nameOf(request);
    if (isKnown(name)) {
      next();
      return;
    }
    const subject = subjectOf(request);
    const result = limiter.take(subject);
    // Only now: a look-up per request would delay every request when the database is slow.
    if (!result.allowed && !(await find(name))) {
      refuse(limits, limiter, result, response);
      return;
    }
    if (result.allowed) {
      describe(response, limiter, result);
      response.once('close', () => {
        const { statusCode } = response;
        if (statusCode >= 500 || NOT_LOOKED_UP.includes(statusCode) || isKnown(name)) limiter.undoTake(subject);
      });
    }
    next();
  };
}

const FORGIVE = Symbol('forgive');
type Forgivable = Response & { [FORGIVE]?: (() => void) | undefined };

export function forgive(response: Response): void {
  (response as Forgivable)[FORGIVE]?.();
}

function admit(
  limits: Refusals,
  limiter: Limiter,
  subject: string,
  response: Response,
  formatRefusal?: ReturnType<FormatRefusal>,
): boolean {
  return sendResult(limits, limiter, limiter.take(subject), response, formatRefusal);
}

function sendResult(
  limits: Refusals,
  limiter: Limiter,
  result: LimitResult,
  response: Response,
  formatRefusal?: ReturnType<FormatRefusal>,
): boolean {
  if (result.allowed) describe(response, limiter, result);
  else refuse(limits, limiter, result, response, formatRefusal);
  return result.allowed;
}

export function refuse(
  limits: Refusals,
  limiter: Limiter,
  result: LimitResult,
  response: Response,
  formatRefusal: ReturnType<FormatRefusal> = (refusal) => refusal,
): void {
  describe(response, limiter, result);
  limits.noteRefusal(limiter);
  const seconds = Math.max(1, Math.ceil(result.retryAfterMs / 1_000));
  answerRefusal(response, formatRefusal(new BusinessError('RATE_LIMITED', undefined, seconds)));
}

/** If several limits apply, the headers describe the refusing one, else the one with the fewest remaining requests. */
function describe(response: Response, { limit }: Limiter, { allowed, remaining, resetMs }: LimitResult): void {
  const remainingHeader = response.getHeader('RateLimit-Remaining');
  if (allowed && typeof remainingHeader === 'string' && Number(remainingHeader) <= remaining) return;
  response.setHeader('RateLimit-Limit', String(limit.count));
  response.setHeader('RateLimit-Remaining', String(remaining));
  response.setHeader('RateLimit-Reset', String(Math.ceil(resetMs / 1_000)));
}
