import type { SecureContextOptions } from 'node:tls';
import { WEBHOOK_RESPONSE_SECONDS, type Environment } from '@pay/contracts';
import { errors } from 'undici';
import { DEADLINE_SECONDS } from '../domain/delivery';
import { classOfStatus, shownReason, type OutcomeClass, type Reason } from '../domain/outcome';
import type { AddressGuard } from './address-guard';
import { guardedConnector } from './guarded-connector';
import { openMerchantSockets, type Answer, type MerchantSockets, type Sending } from './merchant-sockets';
import type { ResolveHost } from './resolve-host';
import { codeOf, SendError } from './send-error';

const HEADERS_TIMEOUT_MS = WEBHOOK_RESPONSE_SECONDS * 1_000;
const MAX_RESPONSE_HEADERS = 16_384;
const MAX_RESPONSE_BODY = 8_192;
const BODY_PATIENCE_MS = 1_000;
/** Shorter than the idle timeout of common servers (5 s), and short enough for sockets to follow DNS changes. */
const IDLE_SOCKET_MS = 4_000;
const OLDEST_SOCKET_MS = 60_000;

const PAGE_HEADERS = { Accept: 'text/html', 'Accept-Encoding': 'identity' };

export interface WebhookRequest {
  readonly url: string;
  readonly environment: Environment;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Uses a new connection, because the endpoint may be closing a kept one. */
  readonly onFreshSocket?: boolean;
}

/** A 500 of the merchant is an outcome too, not an internal error. */
export interface WebhookResponse {
  readonly outcome: OutcomeClass;
  readonly httpStatus?: number;
  /** A code such as ECONNREFUSED, or the target of a redirect. */
  readonly detail?: string | undefined;
  /** The internal reason why there is no response. For logs and metrics only. */
  readonly internal?: Reason;
  readonly retryAfter?: string;
  readonly headersMs?: number;
  readonly totalMs: number;
  /** The first 8 KiB. */
  readonly response?: string;
  /** Only of a failure: up to 8 KiB, without cookies. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type PageRequest = Pick<WebhookRequest, 'url' | 'environment'>;

export interface WebhookClient {
  /** Unsigned, with the same guard, deadline and limits as `post`. Never rejects. */
  get(request: PageRequest): Promise<WebhookResponse>;
  /** Never rejects, and ends before the deadline. */
  post(request: WebhookRequest): Promise<WebhookResponse>;
  close(): Promise<void>;
}

interface Deps {
  readonly guard: AddressGuard;
  readonly resolveHost: ResolveHost;
  readonly tls?: Pick<SecureContextOptions, 'ca'>;
  readonly deadlineMs?: number;
  readonly failedLookupMs?: number;
}

/** One pool per environment: a socket that was allowed for SANDBOX is never reused for LIVE. */
export function createWebhookClient({ deadlineMs = DEADLINE_SECONDS * 1_000, ...deps }: Deps): WebhookClient {
  const socketsFor = (environment: Environment): MerchantSockets =>
    openMerchantSockets({
      connect: guardedConnector(deps, environment),
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: IDLE_SOCKET_MS,
      keepAliveMaxTimeout: IDLE_SOCKET_MS,
      clientTtl: OLDEST_SOCKET_MS,
      maxHeaderSize: MAX_RESPONSE_HEADERS,
    });
  const sockets: Record<Environment, MerchantSockets> = { SANDBOX: socketsFor('SANDBOX'), LIVE: socketsFor('LIVE') };

  async function exchange(method: 'GET' | 'POST', request: WebhookRequest): Promise<WebhookResponse> {
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new SendError('TIMEOUT', 'DEADLINE')), deadlineMs);
    let sending: Sending | undefined;
    try {
      sending = send(sockets[request.environment], method, request, abort.signal);
      const answer = await sending.answer;
      const headersMs = elapsed();
      const response = await readStart(answer.body);
      return { ...outcomeOf(answer), headersMs, totalMs: elapsed(), ...(response && { response }) };
    } catch (error) {
      const { outcome, detail } = classify(error);
      const isStale = outcome === 'RESET' && sending?.isStale() === true;
      const internal: Reason = { outcome: isStale ? 'STALE_SOCKET' : outcome, detail };
      return { ...shownReason(internal), internal, totalMs: elapsed() };
    } finally {
      clearTimeout(timer);
      sending?.end();
    }
  }

  return {
    get: ({ url, environment }) =>
      exchange('GET', { url, environment, headers: PAGE_HEADERS, body: '', onFreshSocket: true }),
    post: (request) => exchange('POST', request),

    async close() {
      await Promise.all(Object.values(sockets).map((each) => each.close()));
    },
  };
}

/** Without interceptors, redirects and proxies. */
function send(sockets: MerchantSockets, method: 'GET' | 'POST', request: WebhookRequest, signal: AbortSignal): Sending {
  const { origin, pathname, search } = new URL(request.url);
  const { headers, body, onFreshSocket = false } = request;
  const sent = method === 'POST' ? { body } : {};
  const options = { origin, path: pathname + search, method, headers, signal, ...sent } as const;
  return onFreshSocket ? sockets.sendAlone(options) : sockets.send(options);
}

function outcomeOf({ statusCode, headers }: Answer): Omit<WebhookResponse, 'totalMs'> {
  const outcome = classOfStatus(statusCode);
  const detail = outcome === 'HTTP_REDIRECT' ? first(headers['location']) : undefined;
  const retryAfter = first(headers['retry-after']);
  return {
    outcome,
    httpStatus: statusCode,
    ...(detail !== undefined && { detail: detail.slice(0, 500) }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(outcome !== 'SUCCESS' && { headers: shownHeaders(headers) }),
  };
}

/** These headers show which server refused the request. */
function shownHeaders(headers: Answer['headers']): Record<string, string> {
  let size = 0;
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = String(Array.isArray(value) ? value.join(', ') : value).replaceAll('\0', '\uFFFD');
    size += name.length + text.length;
    return name === 'set-cookie' || size > MAX_RESPONSE_BODY ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/**
 * Only the status line decides; the body is shown to the merchant. A long or slow body closes the socket, and it is
 * never decompressed, because it could expand.
 */
function readStart(body: Answer['body']): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      body.destroy();
      resolve(textOf(Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BODY)));
    };
    const timer = setTimeout(finish, BODY_PATIENCE_MS);
    body
      .on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_RESPONSE_BODY) finish();
      })
      .on('end', finish)
      .on('error', finish);
  });
}

/** Postgres text cannot contain NUL; invalid UTF-8 is replaced. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD');

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const PROTOCOLS = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);
const RESETS = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

/** Code of undici for a status below 100, such as 000. */
const BELOW_100 = 'ERR_ASSERTION';
/** Errors of undici for an unexpected 100 or 101. */
const UNASKED = new Set(['bad response', 'bad upgrade']);

function classify(error: unknown): { outcome: OutcomeClass; detail: string } {
  if (error instanceof SendError) return error;
  const code = codeOf(error);
  if (error instanceof errors.SocketError && UNASKED.has(error.message))
    return { outcome: 'PROTOCOL', detail: 'NOT_HTTP' };
  if (TIMEOUTS.has(code)) return { outcome: 'TIMEOUT', detail: code };
  if (RESETS.has(code)) return { outcome: 'RESET', detail: code };
  if (PROTOCOLS.has(code)) return { outcome: 'PROTOCOL', detail: code };
  if (error instanceof errors.HTTPParserError || code === BELOW_100) return { outcome: 'PROTOCOL', detail: 'NOT_HTTP' };
  return { outcome: 'INTERNAL', detail: code };
}
