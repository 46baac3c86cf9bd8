import type { RequestListener, ServerResponse } from 'node:http';
import type { Logger } from './logger';
import type { Metrics } from './metrics';
import type { Readiness } from './readiness';

export interface Release {
  readonly version: string;
  readonly commit: string;
}

/**
 * Serves `/livez` (the event loop runs), `/readyz` and `/metrics` for GET and HEAD only. All other paths belong to the
 * internal routes.
 */
export function privateRoutes(deps: {
  log: Logger;
  metrics: Metrics;
  readiness: Readiness;
  release: Release;
  internal?: RequestListener | undefined;
}): RequestListener {
  const { log, metrics, readiness, release, internal } = deps;

  async function readyz(response: ServerResponse): Promise<void> {
    const failing = await readiness.failing();
    const status = failing.length === 0 ? 'ready' : 'unready';
    // Lets the starter distinguish this process from another one on the same port.
    response.setHeader('X-Process-Id', process.pid);
    answer(response, failing.length === 0 ? 200 : 503, { status, failing, ...release });
  }
  async function scrape(response: ServerResponse): Promise<void> {
    const text = await metrics.registry.metrics();
    response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
  }

  return (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const failed = (error: unknown) => {
      log.error({ err: error, route: path }, 'private_server.failed');
      if (response.headersSent) response.destroy();
      else answer(response, 500, { code: 'INTERNAL_ERROR' });
    };
    const isOurs = path === '/livez' || path === '/readyz' || path === '/metrics';
    if (isOurs && request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      answer(response, 405, { code: 'METHOD_NOT_ALLOWED', message: 'This path supports GET and HEAD only.' });
    } else if (path === '/livez') answer(response, 200, { status: 'alive' });
    else if (path === '/readyz') void readyz(response).catch(failed);
    else if (path === '/metrics') void scrape(response).catch(failed);
    else if (internal) internal(request, response);
    else answer(response, 404, { code: 'NOT_FOUND', message: 'This port has no such path.' });
  };
}

function answer(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
