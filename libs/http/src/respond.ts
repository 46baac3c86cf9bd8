import { CREDENTIALS, ERRORS, type BusinessError } from '@pay/contracts';
import type { Response } from 'express';
import { headersOf } from './errors';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Writes an answer. An object is JSON; text and bytes go out as they are when the headers name their content type. */
export function respond(
  response: Response,
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): void {
  response.statusCode = status;
  if (headers) for (const name in headers) response.setHeader(name, headers[name] ?? '');
  if (body === undefined) {
    response.end();
    return;
  }
  const raw = (typeof body === 'string' || Buffer.isBuffer(body)) && response.hasHeader('content-type');
  const bytes = raw ? body : JSON.stringify(body);
  if (!raw) response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(bytes));
  response.end(bytes);
}

/** Answers a refusal from where it is made. Throwing it says the same, by way of every layer of the router. */
export function answerRefusal(response: Response, refusal: BusinessError): void {
  respondToError(response, ERRORS[refusal.code].status, refusal.body(), headersOf(refusal));
}

type Headers = Readonly<Record<string, string>>;
const PAINT = Symbol('paint errors');
type Painted = Response & { [PAINT]?: (status: number, headers: Headers) => void };

/** From here on `paint` formats the errors of this request, because a person reads the response. */
export function paintErrors(response: Response, paint: (status: number, headers: Headers) => void): void {
  (response as Painted)[PAINT] = paint;
}

/** Responds to an error in the format of its route. */
export function respondToError(response: Response, status: number, body: unknown, headers: Headers = {}): void {
  // RFC 9110: every 401 names a challenge. Refusals of other credentials bring their own.
  if (status === 401) response.setHeader('WWW-Authenticate', CREDENTIALS.session.challenge);
  const paint = (response as Painted)[PAINT];
  if (paint === undefined) respond(response, status, body, headers);
  else paint(status, headers);
}
