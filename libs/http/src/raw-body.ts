import express, { type RequestHandler } from 'express';
import type { ByteLimit } from './json-body';

/**
 * Reads a body of any type, as it came, into `request.rawBody`: for callers who sign bytes or send no JSON. A
 * compressed one is 415.
 */
export function rawBody(limit: ByteLimit): RequestHandler {
  const read: RequestHandler = express.raw({ limit, inflate: false, type: () => true });
  return (request, response, next) => {
    void read(request, response, (error?: unknown) => {
      if (Buffer.isBuffer(request.body)) request.rawBody = request.body;
      next(error);
    });
  };
}
