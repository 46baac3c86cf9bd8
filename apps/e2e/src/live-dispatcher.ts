import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '@pay/testing';
import { holdDown, isReady } from './hold-down';
import { eventKeySettings } from './signed-events';
import { readSystem } from './system';

const SERVICE = 'webhook-dispatcher';
const PROGRAM = resolve(__dirname, '..', '..', '..', 'dist', 'apps', SERVICE, 'main.js');
const INTERNET = join(__dirname, 'own-internet.cjs');

/** The only host that the dispatcher can resolve. Its public address is never really connected to. */
export const SHOP_HOST = 'shop.test';
const SHOP_ADDRESS = '11.22.33.44';

export interface ShopTls {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly certFile: string;
  remove(): void;
}

/** Self-signed. */
export function shopCertificate(): ShopTls {
  const folder = mkdtempSync(join(tmpdir(), 'shop-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${SHOP_HOST}`, '-addext', `subjectAltName=DNS:${SHOP_HOST}`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-days', '1', '-keyout', keyFile, '-out', certFile], {
    stdio: 'ignore',
  });
  return {
    key: readFileSync(keyFile),
    cert: readFileSync(certFile),
    certFile,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/**
 * Replaces webhook-dispatcher by a process with the same program and settings, for which the shop has a public address.
 * Returns the function that restores the original.
 */
export async function liveDispatcher(runDirectory: string, certFile: string): Promise<() => Promise<void>> {
  const environment = environmentOf(runDirectory);
  const putBack = await holdDown(runDirectory, SERVICE);
  const child = spawn(process.execPath, ['--require', INTERNET, PROGRAM], {
    env: { ...environment, SHOP_HOST, SHOP_ADDRESS, NODE_EXTRA_CA_CERTS: certFile },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const leave = async (): Promise<void> => {
    await ended(child);
    await putBack();
  };
  await eventually(() => isReady(runDirectory, SERVICE), 'the dispatcher is ready', { timeoutMs: 30_000 }).catch(
    async (error: unknown) => {
      await leave();
      throw error;
    },
  );
  return leave;
}

function environmentOf(runDirectory: string): Record<string, string> {
  const system = readSystem(runDirectory);
  const { services, databaseUrls, amqpUrls, amqpNamespace } = system;
  const seed = JSON.parse(readFileSync(join(runDirectory, 'seed.json'), 'utf8')) as {
    readonly peerSecrets: Record<string, string>;
    readonly secretEncryptionKeys: string;
  };
  const place = services[SERVICE];
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    PORT: new URL(place?.url ?? '').port,
    PRIVATE_PORT: new URL(place?.privateUrl ?? '').port,
    DATABASE_URL: databaseUrls[SERVICE] ?? '',
    AMQP_URL: amqpUrls[SERVICE] ?? '',
    AMQP_NAMESPACE: amqpNamespace,
    ...eventKeySettings(system, SERVICE),
    DASHBOARD_API_URL: services['dashboard-api']?.privateUrl ?? '',
    PEER_SECRET_DASHBOARD_API: seed.peerSecrets[`dashboard-api+${SERVICE}`] ?? '',
    SECRET_ENCRYPTION_KEYS: seed.secretEncryptionKeys,
    WEBHOOK_SANDBOX_ALLOWED_CIDRS: '127.0.0.1/32',
    TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exited;
}
