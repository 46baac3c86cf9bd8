import { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aborted, drainingServer, type Logger, type Worker } from '@pay/runtime';
import type { Express } from 'express';

export interface HttpServer extends Worker {
  address(): AddressInfo | undefined;
}

/** The public HTTP server as a worker: ready while it listens; when stopped it takes no more and lets everything under way finish. */
export function httpServer(options: { app: Express; host: string; port: number; log: Logger }): HttpServer {
  const { app, host, port } = options;
  const server = drainingServer({ host, port, listener: app, messages: messagesOf(app) });
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

/**
 * Express gives each request and response a prototype of its own as they come. Changing it costs as much as routing them, and makes
 * everything that reads them afterwards slow; made with it, they stay as they are.
 */
function messagesOf(app: Express) {
  return {
    IncomingMessage: madeWith(IncomingMessage, app.request),
    ServerResponse: madeWith(ServerResponse, app.response),
  };
}

function madeWith<Made extends typeof IncomingMessage | typeof ServerResponse>(Base: Made, prototype: object): Made {
  function Message(...given: unknown[]): object {
    return Reflect.construct(Base, given, Message) as object;
  }
  Message.prototype = prototype;
  // Called with `new` by Node's HTTP server, it makes what Base makes.
  return Message as unknown as Made;
}
