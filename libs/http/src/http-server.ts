import type { AddressInfo } from 'node:net';
import { aborted, drainingServer, type Logger, type Worker } from '@pay/runtime';
import type { Express } from 'express';
import { unparsableRequestResponse } from './unparsable-request';

export interface HttpServer extends Worker {
  address(): AddressInfo | undefined;
}

export interface HttpServerOptions {
  readonly app: Express;
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** How long idle connections stay open before the server stops. Default: 500 ms. */
  readonly idleGraceMs?: number;
}

/**
 * On stop, accepts no new connections and waits for open requests. The rest of the process keeps running until then.
 */
export function httpServer({ app, log, ...options }: HttpServerOptions): HttpServer {
  const server = drainingServer({ ...options, listener: app, unparsableRequestResponse });
  return {
    name: 'http',
    async run(signal) {
      await server.listen();
      log.info({ host: options.host, port: server.address()?.port }, 'http.listening');
      await aborted(signal);
      await server.drain();
    },
    beforeStop: () => server.release(),
    isReady: () => server.address() !== undefined,
    address: () => server.address(),
  };
}
