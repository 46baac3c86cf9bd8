import { createServer } from 'node:net';
import { freePort } from './free-port';

const FIRST_OF_OUTGOING_CONNECTIONS = 32_768;

describe('a free port', () => {
  it('is the preferred one if no process listens on it', async () => {
    const port = await freePort();

    await expect(freePort(port)).resolves.toBe(port);
  });

  it('is another one if a process listens on the preferred one', async () => {
    const server = createServer();
    const taken = await freePort();
    await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));

    await expect(freePort(taken)).resolves.not.toBe(taken);
    await new Promise((resolve) => server.close(resolve));
  });

  it('is not an ephemeral port of outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));

    expect(ports.filter((port) => port >= FIRST_OF_OUTGOING_CONNECTIONS)).toEqual([]);
  });
});
