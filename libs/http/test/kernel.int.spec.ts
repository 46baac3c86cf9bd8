import { BusinessError } from '@pay/contracts';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { once } from 'node:events';
import { z } from 'zod';
import { Router } from 'express';
import { eventually } from '@pay/testing';
import { answerRefusal, ApiError, rawBody, requestIdOf, route } from '../src/index';
import { serve, type Served } from './serve';

const ID = '0193a5b0-7c1e-7000-8000-000000000000';
class DatabaseAway extends Error {}

let served: Served;
let release: (() => void) | undefined;
const seen: { rawBody?: string; body?: unknown } = {};

beforeEach(async () => {
  delete seen.rawBody;
  delete seen.body;
  served = await serve({
    isUnavailable: (error) => error instanceof DatabaseAway,
    mount(app) {
      const body = z.object({
        name: z.string(),
        note: z.string().optional(),
        map: z.record(z.string(), z.string()).optional(),
      });
      app.post(
        '/v1/things',
        route({ body }, async ({ body, req }) => {
          seen.rawBody = req.rawBody?.toString() ?? 'none';
          seen.body = body;
          return { status: 201, body, headers: { 'Idempotent-Replayed': 'true' } };
        }),
      );
      app.post(
        '/v1/any-text',
        route({ body, anyText: true }, async ({ body }) => ({ status: 202, body })),
      );
      app.post(
        '/v1/large',
        route({ body, bodyLimit: '1mb' }, async () => ({ status: 202, body: {} })),
      );
      app.post(
        '/v1/raw',
        rawBody('64kb'),
        route({}, async ({ req }) => {
          seen.rawBody = req.rawBody?.toString() ?? 'none';
          return { status: 200 };
        }),
      );
      app.post(
        '/v1/things/shadowed',
        route({}, async () => ({ status: 204 })),
      );
      app.get(
        '/v1/things/:id',
        route(
          {
            params: z.object({ id: z.uuid() }),
            query: z.object({ page: z.string().optional(), pageSize: z.string().optional() }),
          },
          async ({ params, query }) => ({
            status: 200,
            body: { id: params.id, page: query.page ?? null },
          }),
        ),
      );
      app.delete(
        '/v1/things/:id',
        route({}, async () => ({ status: 204 })),
      );
      app.get(
        '/v1/conflict',
        route({}, async () => Promise.reject(new ApiError('INTENT_EXPIRED', undefined, { 'X-More': '1' }))),
      );
      app.get(
        '/v1/limited',
        (_request, response) =>
          answerRefusal(response, new ApiError('RATE_LIMITED', undefined, { 'Retry-After': '1' })),
        route({}, async () => ({ status: 200, body: {} })),
      );
      app.get(
        '/v1/broken',
        route({}, async () => Promise.reject(new Error('relation "intents" does not exist'))),
      );
      app.get('/v1/thrown', () => {
        // What a careless dependency may do.
        // oxlint-disable-next-line typescript/only-throw-error
        throw 'text';
      });
      app.get(
        '/v1/away',
        route({}, async () => Promise.reject(new DatabaseAway('Connection terminated'))),
      );
      app.get(
        '/v1/whoami',
        route({}, async ({ res }) => ({ status: 200, body: requestIdOf(res) })),
      );
      app.get(
        '/v1/page',
        route({}, async () => ({ status: 200, body: '<p>', headers: { 'Content-Type': 'text/html' } })),
      );
      app.get(
        '/v1/unserialisable',
        route({}, async () => ({ status: 200, body: { amount: 1n } })),
      );
      app.get(
        '/v1/slow',
        route({}, async () => {
          await new Promise<void>((resolve) => (release = resolve));
          throw new DatabaseAway('too late');
        }),
      );
      app.get(
        '/v1/long',
        route({}, async ({ res }) => {
          await new Promise((resolve) => res.write('half', resolve));
          throw new BusinessError('FORBIDDEN');
        }),
      );
      const router = Router();
      router.get(
        '/:id',
        route({}, async () => Promise.reject(new BusinessError('FORBIDDEN'))),
      );
      app.use('/v1/inner', router);
    },
  });
});

afterEach(() => served.close());

/** Sends bytes as they are, for what fetch would not send, and resolves with the status line. */
async function raw(text: string): Promise<string> {
  return (await rawHead(text))[0] ?? '';
}

/** The same with the header lines behind the status line. */
async function rawHead(text: string): Promise<string[]> {
  const socket = connect(served.port, '127.0.0.1');
  socket.end(text);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  return answer.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [];
}

describe('a valid request', () => {
  it('passes the validated body and its raw bytes to the use case and sends its response', async () => {
    const answer = await served.post('/v1/things', '{ "name": "বিকাশ", "unknown": 1 }');

    expect(answer).toMatchObject({ status: 201, body: { name: 'বিকাশ' } });
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(seen).toEqual({ rawBody: '{ "name": "বিকাশ", "unknown": 1 }', body: { name: 'বিকাশ' } });
  });

  it('may be answered without a body or with a body that is not JSON', async () => {
    expect(await served.send(`/v1/things/${ID}`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(await served.send('/v1/page')).toMatchObject({ status: 200, text: '<p>' });
  });

  it('answers HEAD for a path that has a GET', async () => {
    const answer = await served.send(`/v1/things/${ID}`, { method: 'HEAD' });

    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
  });
});

describe('an invalid request', () => {
  const validation = (...message: unknown[]) => ({
    status: 400,
    body: { statusCode: 400, message, error: 'Bad Request' },
  });

  it.each([
    ['cut off', '{"name": "x"'],
    ['no JSON', 'name=x'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['a number', '5'],
    ['not UTF-8 and no JSON', '\u0000\u0001'],
  ])('is a validation error when its body is %s', async (_name, body) => {
    expect(await served.post('/v1/things', body)).toMatchObject(validation('body must be a valid JSON object'));
  });

  it('gets a validation error if its body is an array, empty, or lacks a field', async () => {
    expect(await served.post('/v1/things', '[1]')).toMatchObject(validation('body must be an object'));
    expect(await served.post('/v1/things', '')).toMatchObject(validation('name is required'));
    expect(await served.post('/v1/things', '{"note": 5}')).toMatchObject(
      validation('name is required', 'note must be a string'),
    );
    expect(await served.send('/v1/things', { method: 'POST' })).toMatchObject(validation('name is required'));
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json', ''])(
    'is 415 with the content type %p',
    async (type) => {
      expect(await served.post('/v1/things', '{"name":"x"}', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
      });
    },
  );

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/merge-patch+json'])(
    'is fine with %s',
    async (type) => {
      expect(await served.post('/v1/things', '{"name":"x"}', { 'content-type': type })).toMatchObject({ status: 201 });
    },
  );

  it.each(['latin1', 'utf-16le', 'UTF-16BE', 'utf-32', 'utf-7'])('gets 415 if its charset is %s', async (charset) => {
    expect(
      await served.post('/v1/things', '{"name":"x"}', { 'content-type': `application/json; charset=${charset}` }),
    ).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The charset of Content-Type must be utf-8.' },
    });
  });

  it('gets 413 if it is larger than its route allows, with or without a Content-Length', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(100_000) });

    expect(await served.post('/v1/things', large)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(await served.post('/v1/large', large)).toMatchObject({ status: 202 });
    const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    const head =
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await raw(head + chunked)).toBe('HTTP/1.1 413 Payload Too Large');
  });

  it.each([
    ['a null character', '{"name":"a\\u0000b"}', 'name'],
    ['half a character', '{"name":"a\\ud800b"}', 'name'],
    ['a null character in a name', '{"name":"x","map":{"a\\u0000":"b"}}', 'map'],
  ])('is a validation error with %s, because Postgres could not store it', async (_name, body, field) => {
    expect(await served.post('/v1/things', body)).toMatchObject(
      validation(`${field} must not contain null characters or broken surrogate pairs`),
    );
  });

  it('accepts a null character in a field that the schema does not define', async () => {
    const deep = `${'['.repeat(9_000)}"\\u0000"${']'.repeat(9_000)}`;

    expect(await served.post('/v1/things', `{"name":"x","deep":${deep}}`)).toMatchObject({ status: 201 });
  });

  it('accepts null characters where the schema handles them itself', async () => {
    expect(await served.post('/v1/any-text', '{"name":"a\\u0000b"}')).toMatchObject({
      status: 202,
      body: { name: 'a\0b' },
    });
  });

  it('accepts a surrogate pair written as two escapes, and an escaped backslash', async () => {
    expect(await served.post('/v1/things', '{"name":"\\ud83d\\ude00 \\\\u0000"}')).toMatchObject({
      status: 201,
      body: { name: '😀 \\u0000' },
    });
  });

  it('cannot change a prototype', async () => {
    const answer = await served.post(
      '/v1/things',
      '{"name":"x","__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
    );
    const map = await served.post('/v1/things', '{"name":"x","map":{"__proto__":"y","a":"b"}}');

    expect(answer).toMatchObject({ status: 201, body: { name: 'x' } });
    expect(map.body.map).toEqual({ a: 'b' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['gzip', gzipSync('{"name":"x"}')],
    ['deflate', deflateSync('{"name":"x"}')],
    ['br', brotliCompressSync('{"name":"x"}')],
    ['zstd', Buffer.from('{"name":"x"}')],
    ['GZIP', gzipSync('{"name":"x"}')],
    ['gzip, gzip', gzipSync(gzipSync('{"name":"x"}'))],
  ])('is 415 with a body compressed by %s, as JSON and as raw bytes', async (encoding, bytes) => {
    for (const [path, type] of [
      ['/v1/things', 'application/json'],
      ['/v1/raw', 'text/plain'],
    ] as const) {
      const answer = await served.post(path, bytes, { 'content-encoding': encoding, 'content-type': type });

      expect(answer).toMatchObject({
        status: 415,
        body: {
          code: 'UNSUPPORTED_MEDIA_TYPE',
          message: 'The request body must not be compressed. Send it without Content-Encoding.',
        },
      });
    }
    expect(seen).toEqual({});
  });

  it('is accepted with Content-Encoding: identity', async () => {
    expect(await served.post('/v1/things', '{"name":"x"}', { 'content-encoding': 'identity' })).toMatchObject({
      status: 201,
    });
  });

  it.each(['TRACE', 'OPTIONS', 'PROPFIND', 'PUT', 'PATCH'])(
    'is 405 with the methods of its path when it is a %s of a known path, with or without a trailing slash',
    async (method) => {
      for (const [path, allow] of [
        ['/v1/things', 'POST'],
        ['/v1/things/', 'POST'],
        ['/v1/page?x=1', 'GET, HEAD'],
        [`/v1/things/${ID}`, 'DELETE, GET, HEAD'],
        ['/v1/things/shadowed', 'DELETE, GET, HEAD, POST'],
      ]) {
        const head = await rawHead(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

        expect(head[0]).toBe('HTTP/1.1 405 Method Not Allowed');
        expect(head).toContain(`Allow: ${allow}`);
      }
      expect(await served.requestLine()).toMatchObject({ status: 405, route: '/v1/things' });
    },
  );

  it('gets 405 for a HEAD of a path that has no GET', async () => {
    expect((await served.send('/v1/things', { method: 'HEAD' })).headers.get('allow')).toBe('POST');
  });

  it.each(['TRACE', 'OPTIONS', 'PATCH'])('gets 404 for a %s of an unknown path', async (method) => {
    const head = await rawHead(`${method} /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

    expect(head[0]).toBe('HTTP/1.1 404 Not Found');
    expect(head.join()).not.toContain('Allow');
  });

  it('gets 404 for an unknown path and for an id with an invalid format', async () => {
    for (const [path, method] of [
      ['/nothing', 'GET'],
      ['/v1/things/not-a-uuid', 'GET'],
      ['/v1/things/..%2f..%2fetc', 'GET'],
    ] as const) {
      expect(await served.send(path, { method })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  it.each(['/v1/things/%', '/v1/things/%E0%A4%A', '/v1/things/%00', '/v1/things/x?page=%00'])(
    'is 400 at the address %s',
    async (path) => {
      expect(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toBe(
        'HTTP/1.1 400 Bad Request',
      );
    },
  );

  it('gets a validation error if a query parameter is repeated or nested', async () => {
    expect(await served.send(`/v1/things/${ID}?page=1&page=2`)).toMatchObject(validation('page must be a string'));
    expect(await served.send(`/v1/things/${ID}?page[a]=1`)).toMatchObject({ status: 200, body: { page: null } });
  });
});

describe('a use case that fails', () => {
  it('answers with the code, message and headers of a business error', async () => {
    const answer = await served.send('/v1/conflict');

    expect(answer).toMatchObject({ status: 409, body: { code: 'INTENT_EXPIRED', message: expect.any(String) } });
    expect(answer.headers.get('x-more')).toBe('1');
  });

  it.each(['/v1/broken', '/v1/thrown', '/v1/unserialisable'])(
    'unexpectedly is a 500 that says nothing: %s',
    async (path) => {
      const answer = await served.send(path);

      expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
      expect(answer.text).not.toMatch(/relation|intents|BigInt|\.ts|text/);
    },
  );

  it('logs its cause with the request id of the response', async () => {
    const answer = await served.send('/v1/broken');
    const line = await served.requestLine();

    expect(line).toMatchObject({
      level: 'error',
      requestId: answer.headers.get('x-request-id'),
      route: '/v1/broken',
      status: 500,
      err: { message: 'relation "intents" does not exist' },
    });
    expect(line['err'].stack).toContain('kernel.int.spec');
  });

  it('answers 503 with Retry-After when the database is unavailable', async () => {
    const answer = await served.send('/v1/away');

    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('is logged although its client has disconnected', async () => {
    const hangUp = new AbortController();
    const answer = served.send('/v1/slow', { signal: hangUp.signal }).catch(() => 'gone');
    await eventually(async () => release !== undefined, 'the use case runs');

    hangUp.abort();
    expect(await served.requestLine()).toMatchObject({ status: 499, route: '/v1/slow' });
    release?.();

    expect(await answer).toBe('gone');
    const failed = () => Promise.resolve(served.lines.find((line) => line['msg'] === 'http.failed_after_disconnect'));
    expect(await eventually(failed, 'the failure is logged')).toMatchObject({ err: { message: 'too late' } });
  });
});

describe('an answer that is cut off because of an error', () => {
  it('is logged with the status of the error, not as a client that has gone', async () => {
    const answer = served.send('/v1/long').catch(() => 'cut off');

    expect(await answer).toBe('cut off');
    expect(await served.requestLine()).toMatchObject({ status: 403, route: '/v1/long' });
  });
});

describe('a client that disconnects while it sends its body', () => {
  it('is not logged as a server error', async () => {
    const socket = connect(served.port, '127.0.0.1');
    const begun =
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"na';
    await new Promise((resolve) => socket.write(begun, resolve));
    socket.destroy();

    expect(await served.requestLine()).toMatchObject({ level: 'info', status: 499 });
    expect(served.lines.map((line) => line['level'])).not.toContain('error');
  });
});

describe('every response', () => {
  it.each(['/v1/whoami', '/nothing', '/v1/broken'])(
    'carries a request id and the headers of an API, and no more: %s',
    async (path) => {
      const { headers } = await served.send(path);

      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('strict-transport-security')).toContain('max-age');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('etag')).toBeNull();
    },
  );

  it('keeps the request id of the client unless it contains characters that could corrupt a log', async () => {
    const kept = await served.send('/v1/whoami', { headers: { 'x-request-id': 'req-1:a.b_c' } });
    const replaced = await served.send('/v1/whoami', { headers: { 'x-request-id': 'a b"c' } });
    const tooLong = await served.send('/v1/whoami', { headers: { 'x-request-id': 'x'.repeat(129) } });

    expect(kept.headers.get('x-request-id')).toBe('req-1:a.b_c');
    expect(kept.body).toBe('req-1:a.b_c');
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(tooLong.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the log and the histogram', () => {
  it('count every rejected request, and log rejected requests with a limited rate', async () => {
    const refused = await served.send('/v1/limited');

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await served.requestLine(1)).toMatchObject({ level: 'debug', status: 429 });
    expect(await served.metrics.registry.metrics()).toMatch(/http_request_duration_seconds_count\{[^}]*status="429"/);
  });

  it('contain the template of a route and never its path', async () => {
    await served.send(`/v1/things/${ID}?page=5`);
    await served.send('/v1/inner/secret-id');
    await served.send('/unknown/secret-id');

    expect(await served.requestLine(1)).toMatchObject({
      level: 'debug',
      method: 'GET',
      route: '/v1/things/:id',
      status: 200,
    });
    expect(await served.requestLine(2)).toMatchObject({ level: 'info', route: '/v1/inner/:id', status: 403 });
    expect(await served.requestLine(3)).toMatchObject({ route: 'unmatched', status: 404 });
    const text = await served.metrics.registry.metrics();
    const counts = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(counts).toHaveLength(3);
    expect(counts[0]).toMatch(/method="GET".*\} 1$/);
    expect(counts[0]).toMatch(/route="\/v1\/things\/:id"/);
    expect(counts[0]).toMatch(/status="200"/);
    expect(text).toContain('route="unmatched"');
    expect(text + JSON.stringify(served.lines)).not.toMatch(/secret-id|0193a5b0-7c1e/);
  });
});
