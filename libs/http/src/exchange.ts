import type { RequestTrace } from '@pay/runtime';
import type { Request, Response } from 'express';

export interface Exchange {
  readonly requestId: string;
  readonly startedAt: number;
  readonly trace: RequestTrace;
  /** Template of the matched route, `/v1/payments/intents/:id`. Never a concrete path. */
  route: string | undefined;
  merchantId: string | undefined;
  /** The cause of a 5xx, or of a missing response. */
  failure: unknown;
  /** The status of the error that aborted a partial response. */
  cutOffWith: number | undefined;
}

const EXCHANGE = Symbol('exchange');
type Carrier = Response & { [EXCHANGE]?: Exchange };

export function openExchange(response: Response, exchange: Exchange): void {
  (response as Carrier)[EXCHANGE] = exchange;
}

export function exchangeOf(response: Response): Exchange {
  const exchange = (response as Carrier)[EXCHANGE];
  if (!exchange) throw new TypeError('this response was not created by an app of createKernel');
  return exchange;
}

export function requestIdOf(response: Response): string {
  return exchangeOf(response).requestId;
}

/**
 * Stores the template while it is known: Express drops the prefix of a router as soon as an error leaves it.
 * Routers must be mounted on literal paths, because a prefix is only known in its concrete form.
 */
export function noteRoute(request: Request, response: Response): Exchange {
  const exchange = exchangeOf(response);
  if (exchange.route === undefined) {
    const matched: unknown = request.route;
    if (typeof matched === 'object' && matched !== null && 'path' in matched) {
      exchange.route = request.baseUrl + String(matched.path);
    }
  }
  return exchange;
}
