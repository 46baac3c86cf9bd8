import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface DrainingServer {
  /** Resolves when the server listens; rejects when it cannot. */
  listen(): Promise<void>;
  address(): AddressInfo | undefined;
  /**
   * Lets every request under way finish, stops accepting, and resolves when the last connection is gone. Every answer
   * tells the client to use another connection.
   */
  drain(): Promise<void>;
}

/**
 * How long a connection without a request may live on. Its owner may have sent a request that has not been read yet:
 * closed at once, the connection would lose it, and proxies do not repeat a POST.
 */
const SILENT_GRACE_MS = 500;
const SWEEP_MS = 50;

/**
 * Age from which the next answer ends a connection. A Service of Kubernetes chooses a pod per connection, so callers
 * that keep theirs would never send a request to the replicas of a later scale-up.
 */
const OLDEST_CONNECTION_MS = 30_000;

export interface DrainingServerOptions {
  readonly host: string;
  readonly port: number;
  readonly listener: RequestListener;
  readonly oldestConnectionMs?: number;
}

/** An HTTP server that can stop without cutting anybody off. */
export function drainingServer(options: DrainingServerOptions): DrainingServer {
  const { oldestConnectionMs = OLDEST_CONNECTION_MS } = options;
  const underWay = new Set<ServerResponse>();
  /** With the times at which they were opened. */
  const sockets = new Map<Socket, number>();
  const forget = function (this: ServerResponse) {
    underWay.delete(this);
  };
  let draining = false;
  const server = createServer(
    // Longer than the idle time of ordinary load balancers (60 s), so that it is not us who close a connection in use.
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 30_000 },
    (request, response) => {
      underWay.add(response);
      response.on('close', forget);
      const openedAt = sockets.get(request.socket) ?? 0;
      if (draining || performance.now() - openedAt >= oldestConnectionMs) response.shouldKeepAlive = false;
      options.listener(request, response);
    },
  );

  server.on('connection', (socket) => {
    sockets.set(socket, performance.now());
    socket.once('close', () => sockets.delete(socket));
  });

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
    drain: () =>
      new Promise((resolve) => {
        draining = true;
        for (const response of underWay) if (!response.headersSent) response.shouldKeepAlive = false;
        const silentUntil = performance.now() + SILENT_GRACE_MS;
        let isClosing = false;
        const sweep = () => {
          if (sockets.size > 0 && performance.now() < silentUntil) return;
          if (!isClosing) {
            isClosing = true;
            server.close(() => {
              clearInterval(sweeping);
              resolve();
            });
          }
          server.closeIdleConnections();
          // Idle are connections after an answer. One that was opened and never used is not idle for Node, and would
          // hold us up for as long as its owner likes.
          const busy = new Set([...underWay].map((response) => response.socket));
          for (const socket of sockets.keys()) if (!busy.has(socket)) socket.destroy();
        };
        const sweeping = setInterval(sweep, SWEEP_MS);
        sweep();
      }),
  };
}
