import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface DrainingServer {
  listen(): Promise<void>;
  address(): AddressInfo | undefined;
  /**
   * Sends `Connection: close` with every response, and still accepts connections. Resolves when no connection is open,
   * or after idle ones had `idleGraceMs`.
   */
  release(): Promise<void>;
  drain(): Promise<void>;
}

/**
 * How long an idle connection stays open while draining. A client may have sent a request that has not been read yet;
 * if the connection is closed before, that request is lost, and proxies do not repeat a POST.
 */
const IDLE_GRACE_MS = 500;
const SWEEP_MS = 50;

/**
 * The response after this age closes the connection. A Kubernetes Service balances connections, so callers with
 * long-lived connections would never reach replicas that are added later.
 */
const OLDEST_CONNECTION_MS = 30_000;

export interface DrainingServerOptions {
  readonly host: string;
  readonly port: number;
  readonly listener: RequestListener;
  readonly oldestConnectionMs?: number;
  readonly idleGraceMs?: number;
  /** The bytes of the response to a request that cannot be parsed; default: the response of Node, without a body. */
  readonly unparsableRequestResponse?: (code: string | undefined) => string;
}

export function drainingServer(options: DrainingServerOptions): DrainingServer {
  const { oldestConnectionMs = OLDEST_CONNECTION_MS, idleGraceMs = IDLE_GRACE_MS } = options;
  const underWay = new Set<ServerResponse>();
  /** Value: the time at which the connection was opened. */
  const sockets = new Map<Socket, number>();
  const forget = function (this: ServerResponse) {
    underWay.delete(this);
  };
  let released: Promise<void> | undefined;
  const server = createServer(
    // Longer than the idle timeout of common load balancers (60 s), so that this server does not close a connection in
    // use.
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 30_000 },
    (request, response) => {
      underWay.add(response);
      response.on('close', forget);
      const openedAt = sockets.get(request.socket) ?? 0;
      if (released || performance.now() - openedAt >= oldestConnectionMs) response.shouldKeepAlive = false;
      options.listener(request, response);
    },
  );

  server.on('connection', (socket) => {
    sockets.set(socket, performance.now());
    socket.once('close', () => sockets.delete(socket));
  });

  const { unparsableRequestResponse: responseTo } = options;
  if (responseTo) {
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // A response that has begun cannot be replaced.
      const hasBegun = [...underWay].some((response) => response.socket === socket && response.headersSent);
      if (socket.writable && !hasBegun) socket.end(responseTo(error.code), () => socket.destroy());
      else socket.destroy();
    });
  }

  const release = () => {
    for (const response of underWay) if (!response.headersSent) response.shouldKeepAlive = false;
    const until = performance.now() + idleGraceMs;
    return new Promise<void>((resolve) => {
      const sweep = () => {
        if (sockets.size > 0 && performance.now() < until) return;
        clearInterval(sweeping);
        resolve();
      };
      const sweeping = setInterval(sweep, SWEEP_MS);
      sweep();
    });
  };

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(options.port, options.host, () => {
          server.off('error', reject);
          resolve();
        });
      }),
    address() {
      const address = server.address();
      return address !== null && typeof address === 'object' ? address : undefined;
    },
    release: () => (released ??= release()),
    async drain() {
      await this.release();
      await everythingSentIsRead();
      await new Promise<void>((resolve) => {
        const sweep = () => {
          server.closeIdleConnections();
          // Idle means after a response. Node does not count a connection without any request as idle, so it would
          // block the stop.
          const busy = new Set([...underWay].map((response) => response.socket));
          for (const socket of sockets.keys()) if (!busy.has(socket)) socket.destroy();
        };
        const sweeping = setInterval(sweep, SWEEP_MS);
        server.close(() => {
          clearInterval(sweeping);
          resolve();
        });
        sweep();
      });
    },
  };
}

/**
 * After a pause of the process, timers run before data that arrived meanwhile is read. One turn of the event loop
 * accepts connections, the next one reads from them.
 */
async function everythingSentIsRead(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
