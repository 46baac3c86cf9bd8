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

async function open(text = ''): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
  const socket = connect(server.address()?.port ?? 0, '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.write(text);
  return { socket, received: () => received, closed: once(socket, 'close') };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('drainingServer', () => {
  it.each(['/', '/streamed'])(
    'lets a request under way finish and closes its connection after it: %s',
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

  it('tells the client of a request under way that the connection ends', async () => {
    const client = await open(get('/'));
    await begun;

    const drained = server.drain();
    finish();
    await Promise.all([drained, client.closed]);

    expect(client.received()).toContain('Connection: close');
  });

  it('closes connections that wait for their next request, and those that were opened and never used', async () => {
    const used = await open(get('/quick'));
    await once(used.socket, 'data');
    const silent = await open();
    const slow = await open('GET / HTT');

    await server.drain();
    await Promise.all([used.closed, silent.closed, slow.closed]);

    expect(used.received()).toContain('quick');
  });

  it('has patience with a request under way that it does not have with silent connections', async () => {
    const client = await open(get('/'));
    const silent = await open();
    await begun;

    const drained = server.drain();
    await silent.closed;
    finish();
    await Promise.all([drained, client.closed]);

    expect(client.received()).toContain('done');
  });

  it('takes no new connection', async () => {
    const { port } = server.address() ?? { port: 0 };
    await server.drain();

    await expect(fetch(`http://127.0.0.1:${port}/quick`)).rejects.toThrow();
    expect(server.address()).toBeUndefined();
  });

  it('says so when it cannot listen', async () => {
    const second = drainingServer({ host: '127.0.0.1', port: server.address()?.port ?? 0, listener: () => undefined });

    await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await server.drain();
  });
});
