import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/** Finds a TCP port that nobody listens on at loopback: the preferred one if it is free, else one the system picks. */
export async function freePort(preferred?: number): Promise<number> {
  const port = (preferred && (await tryListen(preferred))) || (await tryListen(0));
  if (port === undefined) throw new Error('No TCP port is free on 127.0.0.1.');
  return port;
}

function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, HOST, () => {
      const address = server.address();
      const found = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(found));
    });
  });
}
