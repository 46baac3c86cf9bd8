import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Undefined if compression does not make the file smaller. */
  readonly gzipped: Buffer | undefined;
  readonly etag: string;
}

export interface PageFiles {
  readonly index: string;
  /** Key: name below /dashboard/assets. Example: index-B2xk3.js */
  readonly assets: ReadonlyMap<string, PageFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.png': 'image/png',
};

/** Undefined if the dashboard was not built, as in a test of another part. */
export function readPageFiles(folder: string): PageFiles | undefined {
  const index = readIfPresent(join(folder, 'index.html'));
  if (index === undefined) return undefined;
  const names = readdirSync(join(folder, 'assets'));
  const assets = names.flatMap((name) => {
    const type = TYPES[extname(name)];
    return type === undefined ? [] : [[name, pageFile(join(folder, 'assets', name), type)] as const];
  });
  return { index: index.toString('utf8'), assets: new Map(assets) };
}

function pageFile(path: string, type: string): PageFile {
  const bytes = readFileSync(path);
  const gzipped = gzipSync(bytes, { level: 9 });
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { type, bytes, gzipped: gzipped.length < bytes.length ? gzipped : undefined, etag };
}

function readIfPresent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
