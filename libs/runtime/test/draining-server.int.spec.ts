import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { drainingServer, type DrainingServer } from '../src/index';

let server: DrainingServer;
let begun: Promise<void>;
let finish: () => void;

beforeEach(async () => {
  const finished = new Promise<void>((resolve) => (finish = resolve));
  begun = new Promise((markBegun) => {
    server = drainingServer({
      host: '127.0.0.1',
      port: 0,
      unparsableRequestResponse: (code) => `REFUSED ${code}`,
      listener: (request, response) => {
        if (request.url === '/quick') {
          response.end('quick');
          return;
        }
        if (request.url === '/streamed') response.write('first ');
        markBegun();
        void finished.then(() => response.end('done'));
      },
    });
  });
  await server.listen();
});

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<unknown>;
}

async function open(text = '', to = server): Promise<Client> {
  const socket = connect(to.address()?.port ?? 0, '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.write(text);
  return { socket, received: () => received, closed: once(socket, 'close') };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('drainingServer', () => {
  it.each(['/', '/streamed'])(
    'completes a request in progress and closes its connection afterwards: %s',
    async (path) => {
      const client = await open(get(path));
      await begun;

      const drained = server.drain();
      finish();
      await drained;
      await client.closed;

      expect(client.received()).toContain('done');
    },
  );

  it('sends Connection: close to the client of a request in progress', async () => {
    const client = await open(get('/'));
    await begun;

    const drained = server.drain();
    finish();
    await Promise.all([drained, client.closed]);

    expect(client.received()).toContain('Connection: close');
  });

  it('answers a request that arrives on an idle connection after the drain began, and closes the connection with the response', async () => {
    const client = await open(get('/quick'));
    await once(client.socket, 'data');

    const drained = server.drain();
    client.socket.write(get('/quick'));
    await Promise.all([drained, client.closed]);

    expect(client.received().match(/\r\nConnection: \S+/g)).toEqual([
      '\r\nConnection: keep-alive',
      '\r\nConnection: close',
    ]);
  });

  it('answers a request that arrived while the process was paused until idle connections were due', async () => {
    const idleGraceMs = 20;
    const stalled = drainingServer({
      host: '127.0.0.1',
      port: 0,
      idleGraceMs,
      listener: (_, response) => response.end('quick'),
    });
    await stalled.listen();
    const client = await open(get('/quick'), stalled);
    await once(client.socket, 'data');

    const drained = stalled.drain();
    client.socket.write(get('/quick'));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 * idleGraceMs);
    await Promise.all([drained, client.closed, server.drain()]);

    expect(client.received().match(/quick/g)).toHaveLength(2);
  });

  it('accepts connections while it releases existing ones, and closes each with its next response', async () => {
    const client = await open(get('/'));
    await begun;

    const released = server.release();
    const answer = await fetch(`http://127.0.0.1:${server.address()?.port ?? 0}/quick`);
    finish();
    await Promise.all([released, client.closed]);
    await server.drain();

    expect(answer.headers.get('connection')).toBe('close');
    expect(client.received()).toContain('Connection: close');
  });

  it('closes a connection with unparsable bytes, and sends its response only if no other response has begun', async () => {
    const fresh = await open('PAY ME\r\n\r\n');
    const streaming = await open(get('/streamed'));
    await begun;
    await once(streaming.socket, 'data');
    streaming.socket.write('PAY ME\r\n\r\n');
    await Promise.all([fresh.closed, streaming.closed]);

    expect(fresh.received()).toBe('REFUSED HPE_INVALID_METHOD');
    expect(streaming.received()).toContain('first');
    expect(streaming.received()).not.toContain('REFUSED');
    finish();
    await server.drain();
  });

  it('closes connections that wait for their next request, and those that were never used', async () => {
    const used = await open(get('/quick'));
    await once(used.socket, 'data');
    const silent = await open();
    const slow = await open('GET / HTT');

    await server.drain();
    await Promise.all([used.closed, silent.closed, slow.closed]);

    expect(used.received()).toContain('quick');
  });

  it('waits longer for a request in progress than for idle connections', async () => {
    const client = await open(get('/'));
    const silent = await open();
    await begun;

    const drained = server.drain();
    await silent.closed;
    finish();
    await Promise.all([drained, client.closed]);

    expect(client.received()).toContain('done');
  });

  it('accepts no new connection', async () => {
    const { port } = server.address() ?? { port: 0 };
    await server.drain();

    await expect(fetch(`http://127.0.0.1:${port}/quick`)).rejects.toThrow();
    expect(server.address()).toBeUndefined();
  });

  it('closes a connection of the given age with its next response, so that its client may reach another replica', async () => {
    const aging = drainingServer({
      host: '127.0.0.1',
      port: 0,
      oldestConnectionMs: 0,
      listener: (_, response) => response.end('quick'),
    });
    await aging.listen();

    const { headers } = await fetch(`http://127.0.0.1:${aging.address()?.port ?? 0}/`);
    await Promise.all([aging.drain(), server.drain()]);

    expect(headers.get('connection')).toBe('close');
  });

  it('rejects if it cannot listen', async () => {
    const second = drainingServer({ host: '127.0.0.1', port: server.address()?.port ?? 0, listener: () => undefined });

    await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await server.drain();
  });
});
