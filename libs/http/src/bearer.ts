import type { Request } from 'express';

/** Bearer eyJhbGciOi...: the scheme in any case, one token. */
const BEARER = /^bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

export function bearerToken(request: Request): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}
