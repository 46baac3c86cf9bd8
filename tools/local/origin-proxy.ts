import { randomUUID } from 'node:crypto';
import { request as forward, Agent, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { findRoute } from './routes';

/** Headers of one connection only (RFC 9110, 7.6.1); they are never forwarded. */
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

/** Headers by which a proxy reports the origin of a request. Those of a client are untrusted and removed. */
const CLIENT_CLAIMS = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;

const NOT_FOUND = { status: 404, code: 'NOT_FOUND', message: 'No service answers this path.' };
const UNAVAILABLE = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service is temporarily unavailable. Retry after a few seconds.',
};

/**
 * Shorter than IDLE_CONNECTION_GRACE_MS of the services on a cluster, and than the 65 s after which they close idle
 * connections: a request on one that is being closed would be lost.
 */
export const IDLE_MS = 5_000;

/** How long a connection that cannot be opened is tried again. */
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
 * One address for all services, as the ingress of a cluster: requests and answers stream through, connections to the
 * services stay open. What no route names (internal routes, health, metrics) does not exist here.
 */
export function originListener(
  routes: readonly (readonly [string, Target])[],
  { idleMs = IDLE_MS, connectPatienceMs = CONNECT_PATIENCE_MS }: OriginOptions = {},
): RequestListener {
  // The agent closes connections that are idle for so long; for those in use the timeout event has no listener.
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

/** Servers accept the absolute form of a target, too: `GET http://shop.example/v1/events` (RFC 9112, 3.2.2). */
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
  // Clients connect here directly, so the address of the connection is all that is known of them.
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
    // An answer that breaks off must break off for the client, too; an ended one would look whole.
    response.on('error', () => outgoing.destroy());
  });
  upstream.on('error', () => {
    if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
    else if (isConnected || performance.now() >= connectUntil) answer(incoming, outgoing, UNAVAILABLE);
    // Nothing has been sent. Behind the address may be other replicas than the one that has just gone.
    else setTimeout(pass, REPEAT_AFTER_MS, incoming, outgoing, target, agent, connectUntil);
  });
  outgoing.on('close', () => {
    if (!outgoing.writableFinished || !upstream.writableFinished) upstream.destroy();
    // A service may answer before it has read the body; the next request of the client is behind the rest of it.
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

/** A given id of ordinary characters is kept, as the services keep it. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._:/+=-]{1,128}$/.test(given) ? given : randomUUID();
}
