import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from './service-process';

/** Responds like a ready service, on the port in its argument. */
const PROGRAM = `
  require('node:http')
    .createServer((request, response) => response.setHeader('X-Process-Id', process.pid).end())
    .listen(Number(process.argv[1]), '127.0.0.1')`;

describe('a service that is started', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-'));
  let other: Server | undefined;
  afterEach(async () => {
    other?.closeAllConnections();
    await new Promise((resolve) => (other ? other.close(resolve) : resolve(undefined)));
    other = undefined;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function listen(processId: number | undefined): Promise<number> {
    const server = createServer((_request, response) => {
      if (processId !== undefined) response.setHeader('X-Process-Id', processId);
      response.end();
    });
    other = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  function service(port: number): ServiceProcess {
    return new ServiceProcess(
      {
        name: 'origin',
        command: () => ({ args: ['-e', PROGRAM, String(port)], env: {}, cwd: folder }),
        logFile: join(folder, 'origin.log'),
        readyUrl: `http://127.0.0.1:${port}/readyz`,
        isReady: (status) => status === 200,
        holdFile: join(folder, 'held'),
      },
      { say: () => undefined, onStarted: () => undefined },
    );
  }

  it('is ready when its own process answers', async () => {
    const port = await listen(undefined);
    await new Promise((resolve) => other?.close(resolve));
    other = undefined;
    const own = service(port);

    await own.start();

    await own.stop();
  });

  it('does not start when another process answers at its port', async () => {
    const port = await listen(process.pid);

    await expect(service(port).start()).rejects.toThrow(/origin does not start:[^]*EADDRINUSE/);
  });
});
