import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { RenderedPage } from './document';

const byBrotli = promisify(brotliCompress);
const byGzip = promisify(gzip);
/** Brotli level (0 to 11). Nearly as small as level 11 in a hundredth of the time. */
const BROTLI_QUALITY = 5;

/** Must not be cached, because the content can change at any time. */
export async function sendPage(
  request: Request,
  response: Response,
  status: number,
  { html, policy }: RenderedPage,
): Promise<void> {
  const text = Buffer.from(html);
  const encoding = request.acceptsEncodings('br') || request.acceptsEncodings('gzip');
  const bytes = encoding === 'br' ? await brotli(text) : encoding === 'gzip' ? await byGzip(text) : text;
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  if (bytes !== text) response.setHeader('Content-Encoding', String(encoding));
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.end(bytes);
}

function brotli(text: Buffer): Promise<Buffer> {
  return byBrotli(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  });
}
