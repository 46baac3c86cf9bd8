import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface DrainingServer {
  /** Resolves when the server listens; rejects when it cannot. */
  listen(): Promise<void>;
  address(): AddressInfo | undefined;
  /**
   * From now on every answer tells its client to use another connection. Resolves when no connection is left, or when
   * idle ones have had `idleGraceMs`; accepts connections meanwhile.
   */
  release(): Promise<void>;
  /** Releases its connections, stops accepting, lets every request under way finish, and closes what is idle. */
  drain(): Promise<void>;
}

/**
 * How long a connection without a request may live on. Its owner may have sent a request that has not been read yet:
 * closed at once, the connection would lose it, and proxies do not repeat a POST.
 */
const IDLE_GRACE_MS = 500;
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
  readonly idleGraceMs?: number;
}

/** An HTTP server that can stop without cutting anybody off. */
export function drainingServer(options: DrainingServerOptions): DrainingServer {
  const { oldestConnectionMs = OLDEST_CONNECTION_MS, idleGraceMs = IDLE_GRACE_MS } = options;
  const underWay = new Set<ServerResponse>();
  /** With the times at which they were opened. */
  const sockets = new Map<Socket, number>();
  const forget = function (this: ServerResponse) {
    underWay.delete(this);
  };
  let released: Promise<void> | undefined;
  const server = createServer(
    // Longer than the idle time of ordinary load balancers (60 s), so that it is not us who close a connection in use.
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
          // Idle are connections after an answer. One that was opened and never used is not idle for Node, and would
          // hold us up for as long as its owner likes.
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
 * A process that had no processor for a while finds its timers due before it has read what arrived meanwhile. One turn
 * of the event loop accepts connections, the next reads from them.
 */
async function everythingSentIsRead(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
