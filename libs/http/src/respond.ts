import type { Response } from 'express';
import type { ApiError } from './errors';

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
export function answerRefusal(response: Response, refusal: ApiError): void {
  respond(response, refusal.status, refusal.body(), refusal.headers);
}
