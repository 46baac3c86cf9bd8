import { randomUUID } from 'node:crypto';
import { request as forward, Agent, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { unparsableRequestResponse } from '@pay/http/unparsable-request';
import { drainingServer, type DrainingServer } from '@pay/runtime/draining-server';
import { findRoute } from './routes';

/** Headers of a single connection (RFC 9110, 7.6.1). They are never forwarded. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers in which proxies report the origin of a request. Clients can forge them, so they are removed. */
const CLIENT_CLAIMS = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;

const NOT_FOUND = { status: 404, code: 'NOT_FOUND', message: 'No service answers this path.' };
const UNAVAILABLE = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service is temporarily unavailable. Retry after a few seconds.',
};

/**
 * Shorter than IDLE_CONNECTION_GRACE_MS and than the 65 s after which services close idle connections, because a
 * request on a closing connection would be lost.
 */
export const IDLE_MS = 5_000;

/** How long connecting is retried. */
const CONNECT_PATIENCE_MS = 150;
const REPEAT_AFTER_MS = 50;

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface OriginOptions {
  readonly idleMs?: number;
  readonly connectPatienceMs?: number;
}

/**
 * One address for all services, like the ingress of a cluster. Requests and responses are streamed, and paths without a
 * route (internal routes, health, metrics) get 404.
 */
export function originListener(
  routes: readonly (readonly [string, Target])[],
  { idleMs = IDLE_MS, connectPatienceMs = CONNECT_PATIENCE_MS }: OriginOptions = {},
): RequestListener {
  // The agent closes connections that are idle for this time. On connections in use, the timeout event has no listener.
  const agent = new Agent({
    keepAlive: true,
    maxFreeSockets: 256,
    scheduling: 'lifo',
    noDelay: true,
    timeout: idleMs,
  });
  return (incoming, outgoing) => {
    incoming.url = originForm(incoming.url ?? '');
    const target = findRoute(routes, incoming.url);
    if (target) pass(incoming, outgoing, target, agent, performance.now() + connectPatienceMs);
    else answer(incoming, outgoing, NOT_FOUND);
  };
}

export function originServer(address: Target, ...given: Parameters<typeof originListener>): DrainingServer {
  return drainingServer({ ...address, listener: originListener(...given), unparsableRequestResponse });
}

/** Servers must also accept the absolute form: `GET http://shop.example/v1/events` (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '');
}

function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: Target,
  agent: Agent,
  connectUntil: number,
): void {
  if (outgoing.destroyed) return;
  const { host, port } = target;
  const headers = handedOn(incoming.rawHeaders);
  // Clients connect directly, so the address of the connection is the only trusted information.
  headers.push('X-Forwarded-For', incoming.socket.remoteAddress ?? '127.0.0.1', 'X-Forwarded-Proto', 'http');
  if (incoming.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  const upstream = forward({ host, port, agent, method: incoming.method, path: incoming.url, headers });
  let isConnected = false;

  upstream.on('socket', (socket) => {
    const send = () => {
      isConnected = true;
      incoming.pipe(upstream);
    };
    if (socket.connecting) socket.once('connect', send);
    else send();
  });
  upstream.on('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, handedOn(response.rawHeaders));
    response.pipe(outgoing);
    // An interrupted response must be interrupted for the client too, because a closed one would look complete.
    response.on('error', () => outgoing.destroy());
  });
  upstream.on('error', () => {
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
    else if (isConnected || performance.now() >= connectUntil) answer(incoming, outgoing, UNAVAILABLE);
    // Nothing was sent yet, and another replica may listen on the address soon.
    else setTimeout(pass, REPEAT_AFTER_MS, incoming, outgoing, target, agent, connectUntil);
  });
  outgoing.on('close', () => {
    if (!outgoing.writableFinished || !upstream.writableFinished) upstream.destroy();
    // A service may respond before it has read the body. The next request of the client follows after the rest of the
    // body.
    incoming.unpipe(upstream);
    incoming.resume();
  });
}

function handedOn(rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || CLIENT_CLAIMS.test(lower)) continue;
    headers.push(name, rawHeaders[index + 1] ?? '');
  }
  return headers;
}

function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, code, message }: { status: number; code: string; message: string },
): void {
  const body = JSON.stringify({ code, message });
  outgoing.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Process-Id': process.pid,
    'X-Request-Id': requestIdOf(incoming),
    'Content-Length': Buffer.byteLength(body),
  });
  outgoing.end(body);
}

/** An id of ordinary characters is kept, as in the services. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(given) ? given : randomUUID();
}
