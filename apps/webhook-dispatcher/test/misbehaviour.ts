import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import type { Lookup } from '../src/adapters/resolve-host';

/** The names of this internet are 127.0.0.1, but for those that say otherwise. */
export const SHOP_HOST = 'shop.test';
export const FLIPPING_HOST = 'flipping.test';

/** Servers of merchants that violate the protocol, and an address that must never be connected to. */
export async function openStreet() {
  const closers: (() => Promise<void>)[] = [];
  const listen = async (server: Server, host = '127.0.0.1', port = 0): Promise<number> => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    closers.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          for (const socket of sockets) socket.destroy();
        }),
    );
    return (server.address() as AddressInfo).port;
  };
  const canary = { connections: 0, port: 0 };
  canary.port = await listen(
    createTcp((socket) => {
      canary.connections += 1;
      socket.destroy();
    }),
    '127.0.0.2',
  );
  const certificates = makeCertificates();
  const http = async (listener: RequestListener): Promise<string> => {
    const port = await listen(createHttp({ maxHeaderSize: 1 << 20 }, listener));
    return `http://127.0.0.1:${port}/`;
  };
  return {
    canary,
    ca: [certificates.good.cert, certificates.expired.cert],
    http,
    status: (status: number, headers: Record<string, string> = {}) =>
      http((_, response) => response.writeHead(status, headers).end()),
    /** What is written as soon as a request has begun to come. */
    raw: async (answer: (socket: Socket) => void) => {
      const port = await listen(createTcp((socket) => socket.once('data', () => answer(socket))));
      return `http://127.0.0.1:${port}/`;
    },
    tls: async (options: SecureContextOptions & { host?: string; listener?: RequestListener } = {}) => {
      const { host = SHOP_HOST, listener = (_, response) => response.end(), ...context } = options;
      const server = createHttps({ ...certificates.good, ...context }, listener);
      return `https://${host}:${await listen(server)}/`;
    },
    expired: certificates.expired,
    named: async (host: string, listener: RequestListener) => {
      // On the port of the canary: after the name has flipped, only the address differs.
      await listen(createHttp(listener), '127.0.0.1', canary.port);
      return `http://${host}:${canary.port}/`;
    },
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/** What the DNS of this internet says; a hanging question is never answered. */
export function scriptedLookup(isFlipped: () => boolean): Lookup {
  const failure = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  return (name) => {
    if (name === 'nobody.test') return failure('ENOTFOUND');
    if (name === 'broken.test') return failure('ESERVFAIL');
    if (name === 'hanging.test') return new Promise(() => undefined);
    const address = name === FLIPPING_HOST && isFlipped() ? '127.0.0.2' : '127.0.0.1';
    return Promise.resolve({ addresses: name === 'bait.test' ? ['8.8.8.8', '127.0.0.2'] : [address], ttlMs: 0 });
  };
}

function makeCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
  const [request, extension] = [join(folder, 'csr.pem'), join(folder, 'san.cnf')];
  const key = join(folder, 'key.pem');
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const made = (days: string) => {
    const cert = join(folder, `cert${days}.pem`);
    openssl('x509', '-req', '-in', request, '-signkey', key, '-days', days, '-extfile', extension, '-out', cert);
    return { key: readFileSync(key), cert: readFileSync(cert) };
  };
  execFileSync('sh', ['-c', `printf 'subjectAltName=DNS:${SHOP_HOST}' > "$0"`, extension]);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-new', ...curve, '-keyout', key, '-out', request, '-subj', `/CN=${SHOP_HOST}`);
  const certificates = { good: made('2'), expired: made('-1') };
  rmSync(folder, { recursive: true });
  return certificates;
}
