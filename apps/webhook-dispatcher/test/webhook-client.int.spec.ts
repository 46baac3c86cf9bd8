import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { promptly } from '@pay/testing';
import { createAddressGuard } from '../src/adapters/address-guard';
import { createResolveHost, LOOKUP_DEADLINE_MS, type Lookup, type ResolveHost } from '../src/adapters/resolve-host';
import { SendError } from '../src/adapters/send-error';
import { createWebhookClient, type WebhookClient, type WebhookResponse } from '../src/adapters/webhook-client';

const guard = createAddressGuard(['127.0.0.1/32']);
const noDns: ResolveHost = () => Promise.reject(new SendError('DNS', 'ENOTFOUND'));
/** What a merchant sees of every name that has no usable address. */
const UNUSABLE_NAME = { outcome: 'DNS', detail: 'NO_PUBLIC_ADDRESS' };
/** What ends a request that nothing else ends: headers and body may take ten seconds. */
const OTHER_TIMEOUTS_MS = 9_000;
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

function client(over: Partial<Parameters<typeof createWebhookClient>[0]> = {}): WebhookClient {
  const made = createWebhookClient({ guard, resolveHost: noDns, ...over });
  open.push(made);
  return made;
}

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
  return (server.address() as AddressInfo).port;
}

const httpPort = (listener: RequestListener): Promise<number> =>
  listen(createHttp({ maxHeaderSize: 1 << 20 }, listener));
const rawPort = (onSocket: (socket: Socket) => void): Promise<number> => listen(createTcp(onSocket));

const post = (to: WebhookClient, url: string, over: object = {}): Promise<WebhookResponse> =>
  to.post({ url, environment: 'SANDBOX', headers: { 'X-Webhook-Id': 'id-1' }, body: '{"a":"ঢাকা"}', ...over });

describe('responses', () => {
  test.each([200, 202, 204, 299])('%i is success', async (status) => {
    const port = await httpPort((_, response) => response.writeHead(status).end());

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'SUCCESS', httpStatus: status });
  });

  test.each([
    [400, 'HTTP_4XX'],
    [401, 'HTTP_4XX'],
    [410, 'GONE'],
    [500, 'HTTP_5XX'],
    [503, 'HTTP_5XX'],
  ])('%i is %s, with its text', async (status, outcome) => {
    const port = await httpPort((_, response) => response.writeHead(status).end('why\0not'));

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({
      outcome,
      httpStatus: status,
      response: 'why\uFFFDnot',
    });
  });

  test('returns Retry-After', async () => {
    const port = await httpPort((_, response) => response.writeHead(429, { 'Retry-After': '17' }).end());

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'HTTP_4XX', retryAfter: '17' });
  });

  test('sends method, path, query, headers and the exact bytes', async () => {
    const seen: unknown[] = [];
    const port = await httpPort((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          seen.push(request.method, request.url, request.headers['x-webhook-id'], Buffer.concat(chunks).toString());
          response.end();
        });
    });

    await post(client(), `http://127.0.0.1:${port}/hooks/pay?shop=7`);

    expect(seen).toEqual(['POST', '/hooks/pay?shop=7', 'id-1', '{"a":"ঢাকা"}']);
  });

  test('reuses sockets', async () => {
    const ports = new Set<number | undefined>();
    const port = await httpPort((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    const sender = client();
    for (let count = 0; count < 20; count += 1) await post(sender, `http://127.0.0.1:${port}/`);

    expect(ports.size).toBeLessThanOrEqual(2);
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i is a failure, and the redirect is not followed', async (status) => {
    let visits = 0;
    const canary = await httpPort((_, response) => {
      visits += 1;
      response.end();
    });
    const location = `http://127.0.0.1:${canary}/latest/meta-data/`;
    const port = await httpPort((_, response) => response.writeHead(status, { location }).end());

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({
      outcome: 'HTTP_REDIRECT',
      httpStatus: status,
      detail: location,
    });
    expect(visits).toBe(0);
  });
});

describe('misbehaving servers', () => {
  test('a body that never ends takes one second and is still a success', async () => {
    const port = await httpPort((_, response) => response.writeHead(200).write('partly'));
    const answer = await post(client(), `http://127.0.0.1:${port}/`);

    expect(answer).toMatchObject({ outcome: 'SUCCESS', httpStatus: 200, response: 'partly' });
    expect(answer.totalMs).toBeLessThan(OTHER_TIMEOUTS_MS);
  });

  test('a connection cut after the status line is still a success', async () => {
    const port = await rawPort((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart');
        setTimeout(() => socket.destroy(), 20);
      }),
    );

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'SUCCESS', httpStatus: 200 });
  });

  test('stores 8 KiB of an endless body and closes the socket', async () => {
    let isClosed = false;
    const port = await httpPort((_, response) => {
      response.on('close', () => (isClosed = true));
      const pour = (): void => {
        while (!isClosed && response.write(Buffer.alloc(65_536, 'x')));
        if (!isClosed) response.once('drain', pour);
      };
      pour();
    });
    await promptly(1_000, async () => {
      isClosed = false;
      const answer = await post(client(), `http://127.0.0.1:${port}/`);

      expect(answer.outcome).toBe('SUCCESS');
      expect(answer.response).toHaveLength(8_192);
      return answer.totalMs;
    });
  });

  test('stores a compressed body without decompressing it', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const port = await httpPort((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));

    expect((await post(client(), `http://127.0.0.1:${port}/`)).response?.length).toBeLessThanOrEqual(8_192);
  });

  test('refuses headers larger than 16 KiB', async () => {
    const port = await httpPort((_, response) => response.writeHead(200, { 'x-large': 'y'.repeat(100_000) }).end());

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'PROTOCOL' });
  });

  test('a response that is not HTTP is a protocol failure', async () => {
    const port = await rawPort((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'PROTOCOL' });
  });

  test('a reset before the answer is a reset', async () => {
    const port = await rawPort((socket) => socket.once('data', () => socket.resetAndDestroy()));

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'RESET' });
  });

  test('a close before the answer is a reset', async () => {
    const port = await rawPort((socket) => socket.once('data', () => socket.end()));

    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'RESET' });
  });

  test('silence ends at the deadline', async () => {
    const port = await rawPort((socket) => socket.resume());
    const answer = await post(client({ deadlineMs: 300 }), `http://127.0.0.1:${port}/`);

    expect(answer).toMatchObject({ outcome: 'TIMEOUT', detail: 'DEADLINE' });
    expect(answer.totalMs).toBeLessThan(OTHER_TIMEOUTS_MS);
  });

  test('headers that drip one byte at a time end at the deadline', async () => {
    const port = await rawPort((socket) => {
      socket.once('data', () => {
        const timer = setInterval(() => socket.write('H'), 20);
        socket.on('close', () => clearInterval(timer));
        socket.write('HTTP/1.1 200 OK\r\nX-Drip: ');
      });
    });
    const answer = await post(client({ deadlineMs: 300 }), `http://127.0.0.1:${port}/`);

    expect(answer).toMatchObject({ outcome: 'TIMEOUT' });
    expect(answer.totalMs).toBeLessThan(OTHER_TIMEOUTS_MS);
  });

  test('a closed port is a connect failure without the address', async () => {
    const port = await rawPort(() => undefined);
    await open.pop()!.close();
    const answer = await post(client(), `http://127.0.0.1:${port}/`);

    expect(answer).toMatchObject({ outcome: 'CONNECT', detail: 'ECONNREFUSED' });
    expect(JSON.stringify(answer)).not.toContain('127.0.0.1');
  });
});

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'].concat([
      '-keyout',
      keyFile,
      '-out',
      certFile,
      '-subj',
      '/CN=shop.test',
      '-addext',
      'subjectAltName=DNS:shop.test',
    ]),
    { stdio: 'ignore' },
  );
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)];
  afterAll(() => rmSync(folder, { recursive: true }));

  const tlsPort = (): Promise<number> => listen(createHttps({ key, cert }, (_, response) => response.end('safe')));
  const resolveHost: ResolveHost = () => Promise.resolve(['127.0.0.1']);

  test('a certificate of a trusted authority for the right name is accepted', async () => {
    const port = await tlsPort();
    const sender = client({ resolveHost, tls: { ca: cert } });

    expect(await post(sender, `https://shop.test:${port}/`)).toMatchObject({ outcome: 'SUCCESS', response: 'safe' });
  });

  test('an unknown authority is a TLS failure', async () => {
    const port = await tlsPort();

    expect(await post(client({ resolveHost }), `https://shop.test:${port}/`)).toMatchObject({ outcome: 'TLS' });
  });

  test('the wrong name is a TLS failure', async () => {
    const port = await tlsPort();
    const sender = client({ resolveHost, tls: { ca: cert } });

    expect(await post(sender, `https://other.test:${port}/`)).toMatchObject({
      outcome: 'TLS',
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  test('a server without TLS is a TLS failure', async () => {
    const port = await rawPort((socket) => socket.once('data', () => socket.end('hello')));

    expect(await post(client({ resolveHost }), `https://shop.test:${port}/`)).toMatchObject({ outcome: 'TLS' });
  });
});

describe('addresses', () => {
  test('never connects to a refused IP address, LIVE or SANDBOX', async () => {
    let connections = 0;
    const canary = await listen(createTcp(() => (connections += 1)));
    const sender = client({ guard: createAddressGuard([]) });

    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]', '127.0.0.1.']) {
      expect(await post(sender, `http://${host}:${canary}/`)).toMatchObject({ outcome: 'BLOCKED' });
    }
    expect(connections).toBe(0);
  });

  test('a range opened for SANDBOX is refused for LIVE, also on a kept-alive socket of SANDBOX', async () => {
    let requests = 0;
    const port = await httpPort((_, response) => {
      requests += 1;
      response.end();
    });
    const sender = client();
    await post(sender, `http://127.0.0.1:${port}/`);

    expect(await post(sender, `http://127.0.0.1:${port}/`, { environment: 'LIVE' })).toMatchObject({
      outcome: 'BLOCKED',
    });
    expect(requests).toBe(1);
  });

  test('refuses a name with one refused address among public ones', async () => {
    const resolveHost: ResolveHost = () => Promise.resolve(['8.8.8.8', '10.0.0.1']);

    expect(await post(client({ resolveHost }), 'http://bait.test/')).toMatchObject({
      ...UNUSABLE_NAME,
      internal: { outcome: 'BLOCKED_DNS', detail: 'ADDRESS_NOT_ALLOWED' },
    });
  });

  test('does not connect to a name that changes to a refused address', async () => {
    let connections = 0;
    const canary = await listen(createTcp(() => (connections += 1)));
    const answers = [['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']];
    const lookup: Lookup = () => Promise.resolve({ addresses: answers.shift() ?? [], ttlMs: 0 });
    const asked = createResolveHost(lookup);
    expect(await asked('flip.test')).toEqual(['8.8.8.8']);
    const sender = client({ guard: createAddressGuard([]), resolveHost: asked });

    expect(await post(sender, `http://flip.test:${canary}/`)).toMatchObject(UNUSABLE_NAME);
    expect(connections).toBe(0);
  });

  test('connects to the checked address with the name in Host', async () => {
    let host: string | undefined;
    const port = await httpPort((request, response) => {
      host = request.headers.host;
      response.end();
    });
    const sender = client({ resolveHost: () => Promise.resolve(['127.0.0.1']) });

    expect(await post(sender, `http://shop.test:${port}/`)).toMatchObject({ outcome: 'SUCCESS' });
    expect(host).toBe(`shop.test:${port}`);
  });

  test('an unknown name is a DNS failure', async () => {
    expect(await post(client(), 'http://nowhere.test/')).toMatchObject({
      ...UNUSABLE_NAME,
      internal: { outcome: 'DNS', detail: 'ENOTFOUND' },
    });
  });

  test.each<[string, ResolveHost]>([
    ['does not exist', noDns],
    ['resolves to a private address', () => Promise.resolve(['10.0.0.1'])],
    ['resolves to a public and a private address', () => Promise.resolve(['8.8.8.8', '10.0.0.1'])],
    ['is refused by its name servers', () => Promise.reject(new SendError('DNS', 'EREFUSED'))],
    ['is not answered in time', () => Promise.reject(new SendError('DNS', 'ETIMEOUT'))],
  ])('a name that %s fails with the same reason after the same time', async (_, resolveHost) => {
    const failedLookupMs = 400;
    const { internal, totalMs, ...shown } = await post(client({ resolveHost, failedLookupMs }), 'http://name.test/');

    expect(shown).toEqual(UNUSABLE_NAME);
    expect(internal).toBeDefined();
    // Rounded to milliseconds, by a timer that may fire a part of one early.
    expect(totalMs).toBeGreaterThanOrEqual(failedLookupMs - 2);
  });

  test('a failed DNS look-up takes longer than the deadline of a look-up', async () => {
    const { totalMs } = await post(client(), 'http://nowhere.test/');

    expect(totalMs).toBeGreaterThan(LOOKUP_DEADLINE_MS);
  });

  test('localhost is allowed where its address is allowed', async () => {
    const port = await httpPort((_, response) => response.end());
    const resolveHost = createResolveHost(() => Promise.reject(new Error('no request is expected')));

    expect(await post(client({ resolveHost }), `http://localhost:${port}/`)).toMatchObject({ outcome: 'SUCCESS' });
    expect(
      await post(client({ resolveHost, guard: createAddressGuard([]) }), `http://localhost:${port}/`),
    ).toMatchObject({
      ...UNUSABLE_NAME,
    });
  });
});
