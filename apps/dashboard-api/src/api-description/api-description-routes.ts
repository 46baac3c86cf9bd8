import { createHash } from 'node:crypto';
import { describeApi } from '@pay/api-description';
import { getApiDescription, getReferenceFile, getReferencePage, OPERATIONS, type ReferenceFile } from '@pay/contracts';
import { operationServer } from '@pay/http';
import type { Express, Request } from 'express';
import { readReferenceFile, REFERENCE_PAGE, type StaticFile } from './reference-files';

const FIVE_MINUTES = 'public, max-age=300';
const ONE_DAY = 'public, max-age=86400';

/** Content Security Policy: only scripts, styles and the document of this origin. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Kept extends StaticFile {
  readonly etag: string;
}

export function mountApiDescription(app: Express): void {
  const serve = operationServer(app, {});
  const description = kept({ type: 'application/json; charset=utf-8', bytes: Buffer.from(describe()) });
  const page = kept({ type: 'text/html; charset=utf-8', bytes: Buffer.from(REFERENCE_PAGE) });
  const files = new Map<ReferenceFile, Promise<Kept>>();

  serve(getApiDescription, ({ req }) => answer(req, description, FIVE_MINUTES));
  serve(getReferencePage, ({ req }) => answer(req, page, FIVE_MINUTES, { 'Content-Security-Policy': PAGE_POLICY }));
  serve(getReferenceFile, async ({ req, params: { file } }) => {
    const found = files.get(file) ?? readReferenceFile(file).then(kept);
    files.set(file, found);
    return answer(req, await found, ONE_DAY);
  });
}

function describe(): string {
  return JSON.stringify(describeApi(OPERATIONS));
}

function kept(file: StaticFile): Kept {
  return { ...file, etag: `"${createHash('sha256').update(file.bytes).digest('base64url')}"` };
}

function answer(request: Request, { etag, type, bytes }: Kept, caching: string, more: Record<string, string> = {}) {
  const headers = { ...more, ETag: etag, 'Cache-Control': caching };
  if (request.headers['if-none-match']?.includes(etag)) return { status: 304, headers } as const;
  return { status: 200, headers: { ...headers, 'Content-Type': type }, body: bytes } as const;
}
