import { BusinessError } from '@pay/contracts';
import { randomUUID } from 'node:crypto';
import { traceRequest, type Logger, type Metrics } from '@pay/runtime';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { allowedMethods } from './allowed-methods';
import { isClientGone, mapError } from './error-mapper';
import { ApiError, ValidationError } from './errors';
import { exchangeOf, noteRoute, openExchange } from './exchange';
import { respondToError } from './respond';
import { SECURITY_HEADERS } from './security-headers';

export interface KernelOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Mount routes on the app itself: `Allow` of a 405 does not see routes of nested routers. */
  readonly mount: (app: Express) => void;
  /** Networks whose X-Forwarded-For is trusted for `req.ip`. Default: none. */
  readonly trustedProxyCidrs?: readonly string[];
  /** Errors of an unavailable database or broker, which get 503 instead of 500. */
  readonly isUnavailable?: (error: unknown) => boolean;
}

export type KernelDeps = Pick<KernelOptions, 'log' | 'metrics' | 'trustedProxyCidrs'>;

/** Other incoming X-Request-Ids are replaced. Example: 0193a5b0-7c1e-7000-8000-000000000000 */
const SANE_REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,128}$/;
/** Further values are counted as `other`, to bound the number of metric series. */
const MOST_ROUTES = 300;
const CLIENT_GONE = 499;

/**
 * The Express app of every service. It writes one log line and one histogram sample per request and formats all errors.
 */
export function createKernel(options: KernelOptions): Express {
  const isUnavailable = options.isUnavailable ?? (() => false);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  if (options.trustedProxyCidrs?.length) app.set('trust proxy', options.trustedProxyCidrs);

  const onClose = closeListener(options);
  app.use((request: Request, response: Response, next: NextFunction) => {
    const incoming = request.headers['x-request-id'];
    const requestId = typeof incoming === 'string' && SANE_REQUEST_ID.test(incoming) ? incoming : randomUUID();
    const trace = traceRequest(request);
    openExchange(response, {
      requestId,
      startedAt: performance.now(),
      trace,
      route: undefined,
      merchantId: undefined,
      failure: undefined,
      cutOffWith: undefined,
    });
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    response.on('close', onClose);
    // Postgres cannot store U+0000, which any part of the URL may contain.
    if (request.url.includes('%00')) throw new ValidationError(['URL must not contain null characters']);
    trace.run(next);
  });

  options.mount(app);

  app.use((request: Request, response: Response): never => {
    const allowed = allowedMethods(app, request.path);
    if (allowed === undefined) throw new BusinessError('NOT_FOUND', 'No such route.');
    exchangeOf(response).route = allowed.route;
    const message = `${request.method} is not supported by this path. Use one of: ${allowed.allow}.`;
    throw new ApiError('METHOD_NOT_ALLOWED', message, { Allow: allowed.allow });
  });
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const exchange = noteRoute(request, response);
    if (isClientGone(error)) {
      response.destroy();
      return;
    }
    const mapped = mapError(error, isUnavailable);
    if (response.closed) {
      // Its log line is already written, because the client closed the connection before the response.
      const { requestId, route } = exchange;
      if (mapped.isServerError) options.log.error({ requestId, route, err: error }, 'http.failed_after_disconnect');
      return;
    }
    if (mapped.isServerError) exchange.failure = error;
    // A partial response cannot be revoked; a broken connection shows that it is incomplete.
    if (response.headersSent) {
      exchange.cutOffWith = mapped.status;
      response.destroy();
    } else respondToError(response, mapped.status, mapped.body, mapped.headers);
  });
  return app;
}

/** One listener for all responses, so that no request needs a closure; `this` is the response. */
function closeListener({ log, metrics }: KernelOptions): (this: Response) => void {
  const duration = metrics.histogram('http_request_duration_seconds');
  const routes = new Set<string>();
  const known = (route: string) => {
    if (routes.has(route)) return route;
    if (routes.size >= MOST_ROUTES) return 'other';
    routes.add(route);
    return route;
  };

  return function onClose(this: Response) {
    const exchange = exchangeOf(this);
    const { method } = this.req;
    const route = known(noteRoute(this.req, this).route ?? 'unmatched');
    const isStream = isEventStream(this);
    const status =
      this.writableFinished || isStream
        ? this.statusCode
        : (exchange.cutOffWith ?? (exchange.failure === undefined ? CLIENT_GONE : 500));
    const seconds = (performance.now() - exchange.startedAt) / 1_000;
    // The duration of a stream depends on its client, so it is not a latency.
    if (!isStream) duration.observe({ method, route, status }, seconds);
    exchange.trace.end({ method, route, status });
    // Successful requests are logged at debug, because a log line costs as much processor time as a small route.
    const level = exchange.failure !== undefined ? 'error' : isUneventful(status) ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return;
    const fields = {
      requestId: exchange.requestId,
      method,
      route,
      status,
      durationMs: Math.round(seconds * 100_000) / 100,
      merchantId: exchange.merchantId,
      err: exchange.failure,
    };
    exchange.trace.run(() => {
      if (level === 'error') log.error(fields, 'http.request');
      else if (level === 'info') log.info(fields, 'http.request');
      else log.debug(fields, 'http.request');
    });
  };
}

/** Many 429 responses must not write as many log lines. The metric counts them. */
function isUneventful(status: number): boolean {
  return status < 400 || status === 429;
}

function isEventStream(response: Response): boolean {
  const type = response.headersSent ? response.getHeader('content-type') : undefined;
  return typeof type === 'string' && type.startsWith('text/event-stream');
}
