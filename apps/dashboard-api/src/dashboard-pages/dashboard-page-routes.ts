import { BusinessError } from '@pay/contracts';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Express, Request, Response } from 'express';
import type { PageFile } from './read-page-files';
import type { ServiceDeps } from '../service-deps';

const ONE_YEAR = 'public, max-age=31536000, immutable';
const NONCE = '__CSP_NONCE__';
/** Example: /dashboard/robots.txt */
const FILE_NAME = /\.\w+$/;

/** Styles that scripts add have the nonce of the response. */
const policyWith = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Returns index.html for all paths that are not files, because the page does its own routing. Fingerprinted files are
 * cached forever.
 */
export function mountDashboardPages(app: Express, { pageFiles }: Pick<ServiceDeps, 'pageFiles'>): void {
  if (pageFiles === undefined) return;
  const { index, assets } = pageFiles;
  app.get('/dashboard/assets/:file', (request, response) => {
    const asset = assets.get(request.params.file);
    if (!asset) throw new BusinessError('NOT_FOUND', 'No such file.');
    sendAsset(request, response, asset);
  });
  app.get('/dashboard{/*page}', (request, response) => {
    if (FILE_NAME.test(request.path)) throw new BusinessError('NOT_FOUND', 'No such file.');
    sendIndex(request, response, index);
  });
}

function sendAsset(request: Request, response: Response, { type, bytes, gzipped, etag }: PageFile): void {
  response.setHeader('Cache-Control', ONE_YEAR);
  response.setHeader('ETag', etag);
  if (request.headers['if-none-match']?.includes(etag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', type);
  send(request, response, bytes, gzipped);
}

function sendIndex(request: Request, response: Response, index: string): void {
  const nonce = randomBytes(16).toString('base64url');
  const html = Buffer.from(index.replaceAll(NONCE, nonce));
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policyWith(nonce));
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  send(request, response, html, gzipSync(html));
}

function send(request: Request, response: Response, bytes: Buffer, gzipped: Buffer | undefined): void {
  response.setHeader('Vary', 'Accept-Encoding');
  const isGzipped = gzipped !== undefined && request.acceptsEncodings('gzip') === 'gzip';
  if (isGzipped) response.setHeader('Content-Encoding', 'gzip');
  const body = isGzipped ? gzipped : bytes;
  response.setHeader('Content-Length', body.length);
  response.status(200).end(request.method === 'HEAD' ? undefined : body);
}
