import { createServer, type RequestListener, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface DrainingServer {
  /** Resolves when the server listens; rejects when it cannot. */
  listen(): Promise<void>;
  address(): AddressInfo | undefined;
  /** Stops accepting, lets every request under way finish, tells its client to close, and resolves when the last connection is gone. */
  drain(): Promise<void>;
}

/** How long a connection on which no request has begun may live on: its first bytes may be on their way. */
const SILENT_GRACE_MS = 500;

export interface DrainingServerOptions {
  readonly host: string;
  readonly port: number;
  readonly listener: RequestListener;
  /** What requests and responses are made by, instead of Node's own. */
  readonly messages?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/** An HTTP server that can stop without cutting anybody off. */
export function drainingServer(options: DrainingServerOptions): DrainingServer {
  const underWay = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  const forget = function (this: ServerResponse) {
    underWay.delete(this);
  };
  let draining = false;
  const server = createServer(
    // Longer than the idle time of ordinary load balancers (60 s), so that it is not us who close a connection in use.
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 30_000, ...options.messages },
    (request, response) => {
      underWay.add(response);
      response.on('close', forget);
      if (draining) response.shouldKeepAlive = false;
      options.listener(request, response);
    },
  );

  server.on('connection', (socket) => {
    sockets.add(socket);
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
        // Idle are connections after an answer. One that was opened and never used is not idle for Node, and would hold us up for as
        // long as its owner likes.
        const silentUntil = performance.now() + SILENT_GRACE_MS;
        const sweep = setInterval(() => {
          server.closeIdleConnections();
          if (performance.now() < silentUntil) return;
          const busy = new Set([...underWay].map((response) => response.socket));
          for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
        }, 50);
        server.close(() => {
          clearInterval(sweep);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
