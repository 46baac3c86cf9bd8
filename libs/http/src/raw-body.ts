import express, { type RequestHandler } from 'express';
import type { ByteLimit } from './json-body';

/** For signed bodies and bodies other than JSON. A compressed body gets 415. */
export function rawBody(limit: ByteLimit): RequestHandler {
  const read: RequestHandler = express.raw({ limit, inflate: false, type: () => true });
  return (request, response, next) => {
    void read(request, response, (error?: unknown) => {
      if (Buffer.isBuffer(request.body)) request.rawBody = request.body;
      next(error);
    });
  };
}
