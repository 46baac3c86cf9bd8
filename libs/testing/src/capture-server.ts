import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { eventually, type EventuallyOptions } from './eventually';

/**
 * A received request. Signatures are verified over `rawBody`, never over a body that was parsed and serialised again.
 */
export interface CapturedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** Time of its last byte, by `performance.now()`. */
  readonly receivedAtMs: number;
  json(): unknown;
}

export interface CapturedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Delay of the response. */
  readonly afterMs?: number;
}

/** Chooses the response to a request. `undefined` sends no response, and a promise delays it. */
export type Responder = (
  request: CapturedRequest,
  count: number,
) => CapturedAnswer | undefined | Promise<CapturedAnswer | undefined>;

export interface CaptureServer {
  readonly url: string;
  readonly requests: readonly CapturedRequest[];
  /** The first past or future request that the predicate accepts. */
  waitFor(
    predicate: (request: CapturedRequest) => boolean,
    sentence?: string,
    options?: EventuallyOptions,
  ): Promise<CapturedRequest>;
  respondWith(responder: Responder): void;
  close(): Promise<void>;
}

/**
 * A merchant's server that records all requests and answers 200 by default; with a certificate it uses TLS. `host` is
 * the address of this machine to listen on.
 */
export async function captureServer(
  tls?: { readonly key: Buffer; readonly cert: Buffer },
  host = '127.0.0.1',
): Promise<CaptureServer> {
  const requests: CapturedRequest[] = [];
  let responder: Responder = () => ({ status: 200 });

  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    readRequest(incoming)
      .then(async (request) => {
        requests.push(request);
        const answer = await responder(request, requests.length);
        if (answer) send(response, answer);
      })
      .catch(() => response.destroy());
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The capture server has no address.');

  return {
    url: `http${tls ? 's' : ''}://${host}:${address.port}`,
    requests,
    waitFor: (predicate, sentence = 'the expected request arrives', options = {}) =>
      eventually(() => requests.find(predicate), sentence, options),
    respondWith: (next) => {
      responder = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<CapturedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const rawBody = Buffer.concat(chunks);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    rawBody,
    receivedAtMs: performance.now(),
    json: () => JSON.parse(rawBody.toString('utf8')) as unknown,
  };
}

function send(response: ServerResponse, { status, headers, body, afterMs = 0 }: CapturedAnswer): void {
  const answer = () => response.writeHead(status, headers).end(body);
  if (afterMs > 0) setTimeout(answer, afterMs).unref();
  else answer();
}
