import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { TLSSocket } from 'node:tls';
import { createMetrics } from '@pay/runtime';
import { certificateChain } from '@pay/testing';
import { openDatabase } from '../src/index';

/** The SSLRequest of the Postgres protocol: 8 bytes with this code. */
const SSL_REQUEST = 80_877_103;
/** AuthenticationOk and ReadyForQuery of the Postgres protocol. */
const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

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

  it('shows when the certificate of the server ends', async () => {
    const { authority, cert, key } = certificateChain({ authority: 100, server: 10 });
    const folder = mkdtempSync(join(tmpdir(), 'tls-'));
    writeFileSync(join(folder, 'ca.crt'), authority);
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('S');
        const secured = new TLSSocket(socket, { isServer: true, cert, key });
        secured.on('error', () => undefined);
        // The first message is the start of a session. The next one is a query, at which the server goes away.
        secured.once('data', () => {
          secured.write(Buffer.concat([AUTHENTICATED, READY]));
          secured.once('data', () => secured.destroy());
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const metrics = createMetrics('reconciler');
    const nothing = () => undefined;

    const opened = openDatabase({
      url: `postgres://role:secret@127.0.0.1:${port}/pay?sslmode=verify-full&sslrootcert=${join(folder, 'ca.crt')}`,
      poolSize: 1,
      applicationName: 'spec',
      migrations: [],
      log: { info: nothing, warn: nothing, error: nothing },
      metrics,
    });

    await expect(opened).rejects.toThrow('Connection terminated unexpectedly');
    const [shown] = (await metrics.gauge('tls_certificate_end_timestamp_seconds').get()).values;
    expect(shown?.labels).toEqual({ server: 'postgres' });
    expect(((shown?.value ?? 0) - Date.now() / 1_000) / 86_400).toBeCloseTo(10, 1);
    server.close();
    rmSync(folder, { recursive: true });
  });
});
