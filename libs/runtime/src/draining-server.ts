import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DrainingServer {
  /** Resolves when the server listens; rejects when it cannot. */
  listen(): Promise<void>;
  address(): AddressInfo | undefined;
  /** Stops accepting, lets every request under way finish, tells its client to close, and resolves when the last connection is gone. */
  drain(): Promise<void>;
}

/** An HTTP server that can stop without cutting anybody off. */
export function drainingServer(options: { host: string; port: number; listener: RequestListener }): DrainingServer {
  const underWay = new Set<ServerResponse>();
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
      if (draining) response.shouldKeepAlive = false;
      options.listener(request, response);
    },
  );

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
        // Answers whose headers were already sent leave their connection open; it is idle once they end.
        const sweep = setInterval(() => server.closeIdleConnections(), 50);
        server.close(() => {
          clearInterval(sweep);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
