import { isUtf8 } from 'node:buffer';
import { BusinessError } from '@pay/contracts';
import express, { type Request, type RequestHandler } from 'express';
import { ValidationError } from './errors';

declare module 'express-serve-static-core' {
  interface Request {
    /** The unchanged bytes of the body. Absent if no JSON body was read. */
    rawBody?: Buffer;
  }
}

/** A size in the format of Express. Examples: `64kb`, `1mb`. */
export type ByteLimit = `${number}${'kb' | 'mb'}`;

const parsers = new Map<ByteLimit, RequestHandler>();

export function jsonParser(limit: ByteLimit): RequestHandler {
  let parser = parsers.get(limit);
  if (!parser) {
    parser = express.json({
      limit,
      // Decompression is off: a few bytes of brotli can expand to a large body.
      inflate: false,
      type: () => true,
      verify: (request: Request, _response, bytes, charset) => {
        // body-parser also decodes UTF-16 and UTF-7, where `assertStorableText` would not find an escape.
        if (charset !== 'utf-8') throw Object.assign(new Error(charset), { type: 'charset.unsupported' });
        request.rawBody = bytes;
      },
    });
    parsers.set(limit, parser);
  }
  return parser;
}

/** Examples: `application/json`, `application/problem+json; charset=utf-8`. */
const JSON_MEDIA_TYPE = /^application\/(?:json|[\w.!#$&^-]+\+json)\s*(?:;|$)/i;

/** Throws 415 if the request has a body that is not declared as JSON. */
export function assertJson(request: Request): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return;
  const type = headers['content-type'];
  if (type === 'application/json' || (type !== undefined && JSON_MEDIA_TYPE.test(type))) return;
  throw new BusinessError('UNSUPPORTED_MEDIA_TYPE');
}

/** Throws 400 for invalid UTF-8. Decoding would replace the bytes, so that two different texts would become equal. */
export function assertUtf8(rawBody: Buffer | undefined): void {
  if (rawBody !== undefined && !isUtf8(rawBody)) throw new ValidationError(['body must be valid UTF-8']);
}

/** In valid JSON, U+0000 and lone surrogates can only occur as these escapes. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/** Postgres cannot store U+0000 or lone surrogates. Throws 400, because the INSERT would fail. */
export function assertStorableText(body: unknown, rawBody: Buffer | undefined): void {
  if (!rawBody?.includes('\\u') || !SUSPICIOUS_ESCAPE.test(rawBody.toString())) return;
  // Not recursive: a deeply nested body would exceed the stack.
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

/** With the `u` flag a complete surrogate pair is one character, so only a lone surrogate matches. */
const LONE_SURROGATE = /\p{Surrogate}/u;

function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}
