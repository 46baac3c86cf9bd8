import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { openDatabase } from '../src/index';

/** The SSLRequest of the Postgres protocol: 8 bytes with this code. */
const SSL_REQUEST = 80_877_103;

describe('a database URL with sslmode=verify-full', () => {
  it('makes the client request TLS before anything else and refuse a server without it', async () => {
    const firstBytes: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes: Buffer) => {
        firstBytes.push(bytes);
        socket.write('N');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const nothing = () => undefined;

    const opened = openDatabase({
      url: `postgres://role:secret@127.0.0.1:${port}/pay?sslmode=verify-full`,
      poolSize: 1,
      applicationName: 'spec',
      migrations: [],
      log: { info: nothing, warn: nothing, error: nothing },
    });

    await expect(opened).rejects.toThrow('The server does not support SSL connections');
    expect(firstBytes.map((bytes) => [bytes.length, bytes.readInt32BE(4)])).toEqual([[8, SSL_REQUEST]]);
    server.close();
  });
});
