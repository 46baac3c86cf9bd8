import { CREDENTIALS, ERRORS, type BusinessError } from '@pay/contracts';
import type { Response } from 'express';
import { headersOf } from './errors';

const JSON_TYPE = 'application/json; charset=utf-8';

/** An object is sent as JSON. Text and bytes are sent unchanged if the headers contain their content type. */
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

/** Sends a refusal directly. Throwing it gives the same response but passes through the whole router. */
export function answerRefusal(response: Response, refusal: BusinessError): void {
  respondToError(response, ERRORS[refusal.code].status, refusal.body(), headersOf(refusal));
}

type Headers = Readonly<Record<string, string>>;
const ERROR_FORMAT = Symbol('format of errors');
type WithErrorFormat = Response & { [ERROR_FORMAT]?: (status: number, headers: Headers) => void };

/** Errors of this request are formatted by `format` (HTML for a browser). */
export function formatErrorsWith(response: Response, format: (status: number, headers: Headers) => void): void {
  (response as WithErrorFormat)[ERROR_FORMAT] = format;
}

export function respondToError(response: Response, status: number, body: unknown, headers: Headers = {}): void {
  // RFC 9110: every 401 has a challenge. Refusals of other credentials replace this one.
  if (status === 401) response.setHeader('WWW-Authenticate', CREDENTIALS.session.challenge);
  const format = (response as WithErrorFormat)[ERROR_FORMAT];
  if (format === undefined) respond(response, status, body, headers);
  else format(status, headers);
}
