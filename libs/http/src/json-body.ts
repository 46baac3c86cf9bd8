import { isUtf8 } from 'node:buffer';
import { BusinessError } from '@pay/contracts';
import express, { type Request, type RequestHandler } from 'express';
import { ValidationError } from './errors';

declare module 'express-serve-static-core' {
  interface Request {
    /** The body's bytes as they came, where a JSON body was read. */
    rawBody?: Buffer;
  }
}

/** `64kb`, `1mb`: how Express writes sizes. */
export type ByteLimit = `${number}${'kb' | 'mb'}`;

const parsers = new Map<ByteLimit, RequestHandler>();

/** Express's own JSON reader with this limit; it keeps the raw bytes. */
export function jsonParser(limit: ByteLimit): RequestHandler {
  let parser = parsers.get(limit);
  if (!parser) {
    parser = express.json({
      limit,
      // A few bytes of brotli can cost as much as a large body to unpack.
      inflate: false,
      type: () => true,
      verify: (request: Request, _response, bytes) => {
        request.rawBody = bytes;
      },
    });
    parsers.set(limit, parser);
  }
  return parser;
}

/** application/json, application/problem+json; charset=utf-8 */
const JSON_MEDIA_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;|$)/i;

/** Throws 415 for a request with a body that does not say that it is JSON. */
export function assertJson(request: Request): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  const type = headers['content-type'];
  if (type === 'application/json' || (type !== undefined && JSON_MEDIA_TYPE.test(type))) return;
  throw new BusinessError('UNSUPPORTED_MEDIA_TYPE');
}

/** Throws 400 for bytes that decoding would replace: two different texts would become the same text. */
export function assertUtf8(rawBody: Buffer | undefined): void {
  if (rawBody !== undefined && !isUtf8(rawBody)) throw new ValidationError(['body must be valid UTF-8']);
}

/** The only way a JSON text without raw control characters can spell U+0000 or half of a surrogate pair. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/**
 * Postgres stores neither U+0000 nor lone surrogates; a text that holds one is refused here, before it becomes a failed
 * INSERT.
 */
export function assertStorableText(body: unknown, rawBody: Buffer | undefined): void {
  if (!rawBody?.includes('\\u') || !SUSPICIOUS_ESCAPE.test(rawBody.toString())) return;
  // A list of what is left to look at, because the caller decides how deep the body nests.
  const rest: { name: string; value: unknown }[] = [{ name: 'body', value: body }];
  for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
    const { name, value } = item;
    if (typeof value === 'string' && !isStorable(value)) {
      throw new ValidationError([`${name} must not contain null characters or broken surrogate pairs`]);
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key))
        throw new ValidationError([`${name} must not contain null characters or broken surrogate pairs`]);
      rest.push({ name: name === 'body' ? key.slice(0, 40) : name, value: inner });
    }
  }
}

/** With the `u` flag a whole pair is one character, so only half of one matches. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}
