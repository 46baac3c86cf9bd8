import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { originListener, originServer } from './origin-proxy';

const createOrigin = (...given: Parameters<typeof originListener>): Server =>
  createServer({ keepAliveTimeout: 65_000 }, originListener(...given));

describe('the local origin, passing requests on', () => {
  const open: Server[] = [];

  afterEach(async () => {
    for (const server of open.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const listen = async (server: Server): Promise<number> => {
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const before = async (service: RequestListener): Promise<string> => {
    const port = await listen(createServer(service));
    return `http://127.0.0.1:${await listen(createOrigin([['/v1/payments', { host: '127.0.0.1', port }]]))}`;
  };

  it('hands on method, path, body and answer as they are', async () => {
    const origin = await before((incoming, outgoing) => {
      outgoing.writeHead(201, { 'X-Seen': `${incoming.method} ${incoming.url}`, 'Content-Type': 'text/plain' });
      incoming.pipe(outgoing);
    });

    const response = await fetch(`${origin}/v1/payments/intents?page=2`, { method: 'POST', body: '{"amount":"৫০০"}' });

    expect(response.status).toBe(201);
    expect(response.headers.get('x-seen')).toBe('POST /v1/payments/intents?page=2');
    expect(await response.text()).toBe('{"amount":"৫০০"}');
  });

  it('sets X-Forwarded-For to the address of the connection and drops every such header of the client', async () => {
    const origin = await before(({ headers }, outgoing) => {
      const claims = Object.entries(headers).filter(([name]) => /forwarded|real-ip/.test(name));
      outgoing.end(JSON.stringify(Object.fromEntries(claims)));
    });
    const claimed = '203.0.113.9';
    const headers = {
      'x-forwarded-for': claimed,
      'X-Forwarded-Host': claimed,
      'x-real-ip': claimed,
      forwarded: `for=${claimed}`,
      'x-forwarded-proto': 'https',
    };

    const response = await fetch(`${origin}/v1/payments`, { headers });

    expect(await response.json()).toEqual({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
  });

  it('streams an answer while the service is still writing it', async () => {
    let finish: () => void = () => undefined;
    const origin = await before((_, outgoing) => {
      outgoing.write('first');
      finish = () => outgoing.end(' second');
    });

    const response = await fetch(`${origin}/v1/payments/live`);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    finish();
    const second = await reader?.read();

    expect([first?.value, second?.value].map((chunk) => Buffer.from(chunk ?? []).toString())).toEqual([
      'first',
      ' second',
    ]);
  });

  it('closes an idle connection itself, and lets one in use take as long as its answer does', async () => {
    const service = createServer({ keepAliveTimeout: 65_000 });
    const idleMs = 50;
    const target = { host: '127.0.0.1', port: await listen(service) };
    const origin = `http://127.0.0.1:${await listen(createOrigin([['/v1/payments', target]], { idleMs }))}`;
    service.on('request', (_, outgoing) => void setTimeout(() => outgoing.end('slow'), 3 * idleMs));
    const closed = new Promise<void>((resolve) => {
      service.on('connection', (socket) => socket.once('close', () => resolve()));
    });

    expect(await (await fetch(`${origin}/v1/payments`)).text()).toBe('slow');

    await closed;
  });

  it('answers 404 with an error code for what no route names', async () => {
    const origin = await before((_, outgoing) => outgoing.end('reached'));

    const response = await fetch(`${origin}/internal/v1/intents/1`);

    expect(response.status).toBe(404);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.json()).toEqual({ code: 'NOT_FOUND', message: 'No service answers this path.' });
    const again = await fetch(`${origin}/nothing`, { headers: { 'x-request-id': 'order-2041' } });
    expect(again.headers.get('x-request-id')).toBe('order-2041');
  });

  it('answers 503 with an error code while a service is down', async () => {
    const gone = await listen(createServer());
    const port = await listen(createOrigin([['/v1/payments', { host: '127.0.0.1', port: gone }]]));
    await new Promise((resolve) => open.shift()?.close(resolve));

    const response = await fetch(`http://127.0.0.1:${port}/v1/payments/intents`);

    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('tries to connect again before it has sent anything, because another replica may be behind the address', async () => {
    const gone = await listen(createServer());
    await new Promise((resolve) => open.shift()?.close(resolve));
    const ports = [gone, await listen(createServer((incoming, outgoing) => void incoming.pipe(outgoing)))];
    const target = { host: '127.0.0.1', port: 0 };
    Object.defineProperty(target, 'port', { get: () => ports.shift() });
    const port = await listen(createOrigin([['/v1/payments', target]]));

    const response = await fetch(`http://127.0.0.1:${port}/v1/payments`, { method: 'POST', body: 'one payment' });

    expect([response.status, await response.text()]).toEqual([200, 'one payment']);
  });

  it('retries to connect for the given time, because a service may have no replica for a moment', async () => {
    const gone = await listen(createServer());
    await new Promise((resolve) => open.shift()?.close(resolve));
    const target = { host: '127.0.0.1', port: gone };
    const port = await listen(createOrigin([['/v1/payments', target]], { connectPatienceMs: 60_000 }));
    let attempts = 0;
    let isTried: () => void = () => undefined;
    const tried = new Promise<void>((resolve) => (isTried = resolve));
    Object.defineProperty(target, 'port', {
      get: () => {
        attempts += 1;
        if (attempts > 5) isTried();
        return gone;
      },
    });

    const answer = fetch(`http://127.0.0.1:${port}/v1/payments`);
    await tried;
    open.push(createServer((_, outgoing) => outgoing.end('back')).listen(gone, '127.0.0.1'));

    expect(await (await answer).text()).toBe('back');
  });

  it('does not send a request twice when the service breaks the connection off', async () => {
    let requests = 0;
    const origin = await before((incoming) => {
      requests += 1;
      incoming.socket.destroy();
    });

    const { status } = await fetch(`${origin}/v1/payments`, { method: 'POST', body: 'one payment' });

    expect({ status, requests }).toEqual({ status: 503, requests: 1 });
  });

  it('reads the rest of a body that the service answered early, so that the next request is not behind it', async () => {
    const origin = await before((incoming, outgoing) => {
      if (incoming.method === 'GET') outgoing.end('next');
      else outgoing.writeHead(401).end('refused');
    });
    const body = Buffer.alloc(2_000_000, 'a');
    const client = connect(Number(new URL(origin).port), '127.0.0.1');
    const until = (text: string) =>
      new Promise<void>((resolve) => {
        client.on('data', (chunk: Buffer) => {
          if (chunk.includes(text)) resolve();
        });
      });

    const refused = until('refused');
    client.write(`POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    client.write(body.subarray(0, 1_000));
    await refused;
    const next = until('next');
    client.write(body.subarray(1_000));
    client.write('GET /v1/payments HTTP/1.1\r\nHost: x\r\n\r\n');
    await next;
    client.destroy();
  });

  it('accepts the absolute form of a target', async () => {
    const origin = await before((incoming, outgoing) => outgoing.end(incoming.url));
    const { hostname, port } = new URL(origin);

    const answer = await new Promise<string>((resolve, reject) => {
      const path = 'http://shop.example/v1/payments?page=2';
      request({ hostname, port, path }, (response) => {
        response.setEncoding('utf8').once('data', resolve);
      })
        .on('error', reject)
        .end();
    });

    expect(answer).toBe('/v1/payments?page=2');
  });

  it('breaks the answer off for the client when the service breaks it off', async () => {
    const origin = await before((_, outgoing) => {
      outgoing.writeHead(200, { 'Content-Length': 100 });
      outgoing.write('part', () => outgoing.destroy());
    });

    await expect(fetch(`${origin}/v1/payments`).then((response) => response.text())).rejects.toThrow('terminated');
  });

  it('closes the connection to the service when the client disconnects', async () => {
    let letGo: (value: string) => void = () => undefined;
    const released = new Promise<string>((resolve) => (letGo = resolve));
    const origin = await before((incoming: IncomingMessage, outgoing) => {
      outgoing.write('waiting');
      incoming.socket.once('close', () => letGo('closed'));
    });
    const { port } = new URL(origin);

    const client = connect(Number(port), '127.0.0.1', () =>
      client.write('GET /v1/payments HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    client.once('data', () => client.destroy());

    expect(await released).toBe('closed');
  });

  it('keeps a body without length in chunks and does not hand on headers of one connection', async () => {
    const origin = await before((incoming, outgoing) => outgoing.end(JSON.stringify(incoming.headers)));
    const { port } = new URL(origin);

    const headers = await new Promise<Record<string, string>>((resolve, reject) => {
      const outgoing = request(
        {
          port,
          host: '127.0.0.1',
          path: '/v1/payments',
          method: 'POST',
          headers: { TE: 'gzip', 'Keep-Alive': 'timeout=1' },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve(JSON.parse(text) as Record<string, string>));
        },
      );
      outgoing.on('error', reject);
      outgoing.write('one');
      outgoing.end('two');
    });

    expect(headers['transfer-encoding']).toBe('chunked');
    expect(headers).not.toHaveProperty('te');
    expect(headers['keep-alive']).toBeUndefined();
  });

  it('writes nothing about a request, so that the id of a hook in its path stays out of the logs', async () => {
    const hookId = 'kY3v9aQxk7PzR2mWb5TkY3v9aQxk7PzR2mWb5TkY3v9aQxk7PzR2mWb5T0123456';
    const written: string[] = [];
    const capture = (...parts: unknown[]) => {
      written.push(parts.map(String).join(' '));
      return true;
    };
    const spies = [
      jest.spyOn(process.stdout, 'write').mockImplementation(capture),
      jest.spyOn(process.stderr, 'write').mockImplementation(capture),
      ...(['log', 'info', 'warn', 'error'] as const).map((level) =>
        jest.spyOn(console, level).mockImplementation(capture),
      ),
    ];
    const warnings: string[] = [];
    const warned = (warning: Error) => void warnings.push(warning.stack ?? warning.message);
    process.on('warning', warned);
    const origin = await before((incoming, outgoing) => {
      if (incoming.method === 'DELETE') incoming.socket.destroy();
      else outgoing.writeHead(incoming.method === 'PUT' ? 500 : 200).end('{}');
    });
    const hook = `/v1/payments/hooks/textbee/${hookId}`;

    const statuses: number[] = [];
    for (const method of ['POST', 'PUT', 'DELETE']) statuses.push((await fetch(origin + hook, { method })).status);
    statuses.push((await fetch(`${origin}/v1/nothing/${hookId}`)).status);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    for (const spy of spies) spy.mockRestore();

    expect(statuses).toEqual([200, 500, 503, 404]);
    expect([...written, ...warnings].join()).not.toContain(hookId);
  });
});

describe('the server of the local origin', () => {
  it('answers a request that cannot be parsed with the documented error body, as the services do', async () => {
    const server = originServer({ host: '127.0.0.1', port: 0 }, []);
    await server.listen();
    const client = connect(server.address()?.port ?? 0, '127.0.0.1');
    client.end('GET / nonsense\r\n\r\n');
    const received: Buffer[] = [];
    client.on('data', (bytes) => received.push(bytes));
    await once(client, 'close');
    await server.drain();

    const [head, body] = Buffer.concat(received).toString().split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(body ?? '')).toMatchObject({ message: ['request must be valid HTTP/1.1'] });
  });
});
