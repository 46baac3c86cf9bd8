import { createServer, type AddressInfo } from 'node:net';
import { findPort, findPorts } from './find-port';

describe('the port of the origin', () => {
  it('is the wanted one when that is free, else the next one that is', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;

    expect(await findPort(port)).toBeGreaterThan(port);

    await new Promise((resolve) => server.close(resolve));
    expect(await findPort(port)).toBe(port);
  });

  it('is never one that another service has been given', async () => {
    expect(new Set(await findPorts(12)).size).toBe(12);
  });
});
