import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { z } from 'zod';
import {
  route,
  serviceAuth,
  serviceClient,
  ServiceCallFailed,
  type PeerSecret,
  type ServiceClient,
} from '../src/index';
import { serve } from './serve';

const SECRET = 'shared by the pair';
const schema = z.object({ answer: z.string() });
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function peer(listener: RequestListener): Promise<{ url: string; server: Server; sockets: Socket[] }> {
  const server = createServer(listener);
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, server, sockets };
}

function client(baseUrl: string, timeoutMs = 10_000): ServiceClient {
  const made = serviceClient({ issuer: 'checkout-api', audience: 'reconciler', secret: SECRET, baseUrl, timeoutMs });
  closing.push(() => made.close());
  return made;
}

async function failure(call: Promise<unknown>): Promise<ServiceCallFailed> {
  const error = await call.catch((caught: unknown) => caught);
  if (error instanceof ServiceCallFailed) return error;
  throw new Error('expected the call to fail with ServiceCallFailed', { cause: error });
}

describe('serviceClient', () => {
  it('sends tenant, person and request id with a token that the called service accepts', async () => {
    const served = await serve({
      mount(app) {
        app.post(
          '/internal/v1/claims',
          serviceAuth({ audience: 'reconciler', secrets: { 'checkout-api': SECRET }, allow: ['checkout-api'] }),
          route({ body: z.object({ question: z.string() }) }, async ({ req, body }) => ({
            status: 200,
            body: {
              answer: [body.question, req.get('x-environment'), req.get('x-actor'), req.get('x-request-id')].join(),
            },
          })),
        );
      },
    });
    closing.push(() => served.close());

    const answer = await client(served.url).request('POST', '/internal/v1/claims', {
      schema,
      body: { question: 'why' },
      tenant: { merchantId: '0193a5b0-7c1e-7000-8000-00000000000a', environment: 'LIVE' },
      actor: 'u1:OWNER',
      requestId: 'r1',
    });

    expect(answer).toEqual({ answer: 'why,LIVE,u1:OWNER,r1' });
  });

  it('reuses its connection and its token for the next call', async () => {
    const tokens = new Set<string>();
    const { url, sockets } = await peer((request, response) => {
      tokens.add(String(request.headers.authorization));
      response.end('{"answer":"x"}');
    });
    const calls = client(url);

    for (let call = 0; call < 20; call++) await calls.request('GET', '/', { schema });

    // A second one may open while the first is being given back.
    expect(sockets.length).toBeLessThanOrEqual(2);
    expect(tokens.size).toBe(1);
  });

  it('keeps the path of its base URL', async () => {
    const { url } = await peer((request, response) => response.end(JSON.stringify({ answer: request.url })));

    expect(await client(`${url}/below/`).request('GET', '/x', { schema })).toEqual({ answer: '/below/x' });
  });

  it.each([
    [404, '{"code":"NOT_FOUND","message":"m"}', { kind: 'rejected', status: 404, code: 'NOT_FOUND' }],
    [400, '{"statusCode":400}', { kind: 'rejected', status: 400, code: undefined }],
    [302, '', { kind: 'rejected', status: 302 }],
    [503, '{"code":"SERVICE_UNAVAILABLE"}', { kind: 'unavailable', status: 503 }],
    [500, 'oops', { kind: 'unavailable', status: 500 }],
    [429, '{}', { kind: 'unavailable', status: 429 }],
    [200, '{"answer":5}', { kind: 'malformed', status: 200 }],
    [200, 'no json', { kind: 'malformed', status: 200 }],
  ])('distinguishes a %i %s', async (status, body, expected) => {
    const { url } = await peer((_request, response) => response.writeHead(status).end(body));

    expect(await failure(client(url).request('GET', '/', { schema }))).toMatchObject(expected);
  });

  it('includes nothing of the response body in its error', async () => {
    const { url } = await peer((_request, response) => response.end('{"answer":1712345678}'));

    const error = await failure(client(url).request('GET', '/', { schema }));

    expect(error.message).toBe('reconciler: response does not match its schema: answer');
  });

  it.each([
    ['never answers', () => undefined],
    ['answers a piece and stops', (_request, response) => void response.writeHead(200).write('{"answer":')],
  ] satisfies [string, RequestListener][])('gives up at its deadline on a service that %s', async (_name, listener) => {
    const { url } = await peer(listener);
    const startedAt = performance.now();

    const error = await failure(client(url, 200).request('GET', '/', { schema }));

    expect(error.kind).toBe('unavailable');
    // Without a deadline the connection would wait for minutes.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('fails as unavailable when nothing listens at the address', async () => {
    const { url, server } = await peer(() => undefined);
    server.close();
    await once(server, 'close');

    expect(await failure(client(url).request('POST', '/', { schema, body: {} }))).toMatchObject({
      kind: 'unavailable',
    });
  });

  describe('on a kept-alive connection that the server has just closed', () => {
    /** Answers the first request of each connection and destroys the connection at the second. */
    async function forgetful(): Promise<{ url: string; requests: string[] }> {
      const served = new WeakSet<Socket>();
      const requests: string[] = [];
      const { url } = await peer((request, response) => {
        requests.push(String(request.method));
        if (served.has(request.socket)) {
          request.socket.destroy();
          return;
        }
        served.add(request.socket);
        response.end('{"answer":"x"}');
      });
      return { url, requests };
    }

    /** undici gives a connection back a turn after the body's end; a call before that would open another. */
    async function connectionIsFree(): Promise<void> {
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    }

    it('repeats a GET', async () => {
      const { url, requests } = await forgetful();
      const calls = client(url);
      await calls.request('GET', '/', { schema });
      await connectionIsFree();

      expect(await calls.request('GET', '/', { schema })).toEqual({ answer: 'x' });
      expect(requests).toHaveLength(3);
    });

    it('sends a POST again only if it is marked as idempotent', async () => {
      const { url, requests } = await forgetful();
      const calls = client(url);
      await calls.request('POST', '/', { schema, body: {} });
      await connectionIsFree();

      expect(await failure(calls.request('POST', '/', { schema, body: {} }))).toMatchObject({ kind: 'unavailable' });
      await calls.request('POST', '/', { schema, body: {} });
      await connectionIsFree();
      expect(await calls.request('POST', '/', { schema, body: {}, idempotent: true })).toEqual({ answer: 'x' });
      expect(requests).toHaveLength(5);
    });

    it('gives up after the second failure', async () => {
      let requests = 0;
      const { url } = await peer((request) => {
        requests++;
        request.socket.destroy();
      });

      expect(await failure(client(url).request('GET', '/', { schema }))).toMatchObject({ kind: 'unavailable' });
      expect(requests).toBe(2);
    });
  });
});

describe('a rotation of the secret of a pair', () => {
  const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)];

  /** A service that calls itself by another name: both sides of the pair, each with its own list of secrets. */
  async function callee(secret: PeerSecret): Promise<string> {
    const served = await serve({
      mount(app) {
        app.get(
          '/internal/v1/answer',
          serviceAuth({ audience: 'reconciler', secrets: { 'checkout-api': secret }, allow: ['checkout-api'] }),
          route({}, () => ({ status: 200, body: { answer: 'yes' } })),
        );
      },
    });
    closing.push(() => served.close());
    return served.url;
  }

  async function answerOf(baseUrl: string, secret: PeerSecret): Promise<string | number | undefined> {
    const caller = serviceClient({ issuer: 'checkout-api', audience: 'reconciler', secret, baseUrl });
    closing.push(() => caller.close());
    try {
      return (await caller.request('GET', '/internal/v1/answer', { schema })).answer;
    } catch (error) {
      return error instanceof ServiceCallFailed ? error.status : undefined;
    }
  }

  it('accepts every call while caller and callee change their secrets one after the other, in either order', async () => {
    const stages: PeerSecret[] = [older, [older, newer], [newer, older], newer];
    const callees = await Promise.all(stages.map(callee));

    // Neighbouring stages are in use at the same time, because replicas restart one by one.
    for (const [stage, secret] of stages.entries()) {
      for (const near of [stage - 1, stage, stage + 1].flatMap((index) => callees[index] ?? [])) {
        expect(await answerOf(near, secret)).toBe('yes');
      }
    }
  });

  it('rejects the older secret after the callee has removed it, and the newer one before the callee has it', async () => {
    expect(await answerOf(await callee(newer), [older, newer])).toBe(401);
    expect(await answerOf(await callee(older), [newer, older])).toBe(401);
  });
});
