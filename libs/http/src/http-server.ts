import type { AddressInfo } from 'node:net';
import { aborted, drainingServer, type Logger, type Worker } from '@pay/runtime';
import type { Express } from 'express';

export interface HttpServer extends Worker {
  address(): AddressInfo | undefined;
}

/**
 * The public HTTP server as a worker: ready while it listens; when stopped it takes no more and lets everything under
 * way finish.
 */
export function httpServer(options: { app: Express; host: string; port: number; log: Logger }): HttpServer {
  const { app, host, port } = options;
  const server = drainingServer({ host, port, listener: app });
  return {
    name: 'http',
    async run(signal) {
      await server.listen();
      options.log.info({ host, port: server.address()?.port }, 'http.listening');
      await aborted(signal);
      await server.drain();
    },
    isReady: () => server.address() !== undefined,
    address: () => server.address(),
  };
}
