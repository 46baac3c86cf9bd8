import { freePort } from '@pay/local-servers';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPort, takePort, takePorts } from './find-port';

describe('the port of the origin', () => {
  it('is the wanted one when that is free, else the next one that is', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;

    expect(await findPort(port)).toBeGreaterThan(port);

    await new Promise((resolve) => server.close(resolve));
    expect(await findPort(port)).toBe(port);
  });

  it('is taken by one of two starts at the same time, until it is released', async () => {
    const locks = mkdtempSync(join(tmpdir(), 'ports-'));
    const wanted = await freePort();

    const taken = await Promise.all([takePort(wanted, locks), takePort(wanted, locks)]);
    // Nothing listens on the first two ports yet.
    taken.push(await takePort(wanted, locks));
    for (const { release } of taken) release();
    const again = await takePort(wanted, locks);
    again.release();

    expect(new Set(taken.map(({ port }) => port)).size).toBe(3);
    expect(again.port).toBe(wanted);
    rmSync(locks, { recursive: true });
  });
});

describe('the ports of the services', () => {
  it('are taken by one start each, until they are released without leaving files', async () => {
    const locks = mkdtempSync(join(tmpdir(), 'ports-'));

    const [some, others] = await Promise.all([takePorts(12, locks), takePorts(12, locks)]);
    const ports = [...some, ...others].map(({ port }) => port);
    const [wanted = 0] = ports;
    // Nothing listens on it yet.
    const meanwhile = await takePort(wanted, locks);
    for (const { release } of [...some, ...others, meanwhile]) release();
    const again = await takePort(wanted, locks);
    again.release();

    expect(new Set(ports).size).toBe(24);
    expect(meanwhile.port).not.toBe(wanted);
    expect(again.port).toBe(wanted);
    expect(readdirSync(locks)).toEqual([]);
    rmSync(locks, { recursive: true });
  });
});
