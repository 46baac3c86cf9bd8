import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '@pay/local-servers';
import { eventually } from '@pay/testing';
import { eventKeySettings } from './signed-events';
import { readSystem } from './system';

const SERVICE = 'checkout-api';
const PROGRAM = resolve(__dirname, '..', '..', '..', 'dist', 'apps', SERVICE, 'main.js');

export interface OwnCheckout {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Another replica of the running checkout-api with separate settings, such as low limits or no intent-api, which do not
 * affect other tests.
 */
export async function ownCheckout(
  runDirectory: string,
  settings: Readonly<Record<string, string>>,
): Promise<OwnCheckout> {
  const [port, privatePort] = await Promise.all([freePort(), freePort()]);
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      ...environmentOf(runDirectory),
      PORT: String(port),
      PRIVATE_PORT: String(privatePort),
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${privatePort}/readyz`).catch(() => undefined))?.status === 200;
  await eventually(isReady, 'the other checkout-api is ready', { timeoutMs: 30_000 }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { baseUrl: `http://127.0.0.1:${port}`, stop };
}

function environmentOf(runDirectory: string): Record<string, string> {
  const system = readSystem(runDirectory);
  const { services, databaseUrls, amqpUrls, amqpNamespace } = system;
  const { peerSecrets } = JSON.parse(readFileSync(join(runDirectory, 'seed.json'), 'utf8')) as Record<
    'peerSecrets',
    Record<string, string>
  >;
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrls[SERVICE] ?? '',
    AMQP_URL: amqpUrls[SERVICE] ?? '',
    AMQP_NAMESPACE: amqpNamespace,
    ...eventKeySettings(system, SERVICE),
    INTENT_API_URL: services['intent-api']?.privateUrl ?? '',
    RECONCILER_URL: services['reconciler']?.privateUrl ?? '',
    PEER_SECRET_INTENT_API: peerSecrets[`${SERVICE}+intent-api`] ?? '',
    PEER_SECRET_RECONCILER: peerSecrets[`${SERVICE}+reconciler`] ?? '',
    PEER_SECRET_DASHBOARD_API: peerSecrets[`${SERVICE}+dashboard-api`] ?? '',
    TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
  };
}
