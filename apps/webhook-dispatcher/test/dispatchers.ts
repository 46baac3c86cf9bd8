import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@pay/local-servers';

import { dropNamespace, openTestMessaging, testEventKeySettings } from '@pay/messaging/testing';
import { migrate, openDatabase } from '@pay/persistence';
import { createLogger, createMetrics, createSecretBox } from '@pay/runtime';
import { amqpUrl, eventually, testDatabase, testNamespace } from '@pay/testing';
import { build } from 'esbuild';
import { uuidv7 } from 'uuidv7';
import { migrations } from '../src/db/migrations';
import { aMerchant, anEvent } from './service-under-test';
import { SECRET } from './stage';

const ROOT = join(__dirname, '..', '..', '..');
const service = 'webhook-dispatcher';
const log = createLogger({ service, level: 'silent' });

/** A request that an endpoint received. */
export interface Got {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly endpoint: string;
  readonly intentId: string;
}

/**
 * The shipped program in its own processes, any number of them on one database and broker, and endpoints that
 * remember.
 */
export async function openDispatchers(endpointCount: number) {
  const bundle = await bundleMain();
  const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log }) });
  const namespace = testNamespace();
  const db = await openDatabase({ url: database.url, poolSize: 4, applicationName: 'test', log, migrations });
  const metrics = createMetrics(service);
  const messaging = await openTestMessaging({ url: amqpUrl(), namespace, service, db, log, metrics });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const relaying = messaging.relay().run(stop.signal);
  const key = { id: 'k1', key: randomBytes(32) };
  const merchant = await aMerchant(db);
  const shop = await openShop();
  const secrets = createSecretBox([key], 'signing-secret');
  for (let number = 0; number < endpointCount; number += 1) {
    const id = uuidv7();
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, is_verified)
       values ($1, $2, $3, $4, '{payment.paid}', $5, true)`,
      [id, merchant.id, merchant.environment, `${shop.url}/${number}`, secrets.seal(id, SECRET)],
    );
  }
  const children = new Set<ChildProcess>();

  const start = async (): Promise<Dispatcher> => {
    const privatePort = String(await freePort());
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PORT: String(await freePort()),
      PRIVATE_PORT: privatePort,
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '5',
      AMQP_URL: amqpUrl(),
      AMQP_NAMESPACE: namespace,
      DASHBOARD_API_URL: 'http://127.0.0.1:1',
      PEER_SECRET_DASHBOARD_API: randomBytes(24).toString('hex'),
      ...testEventKeySettings(service),
      SECRET_ENCRYPTION_KEYS: `${key.id}:${key.key.toString('base64')}`,
      WEBHOOK_SANDBOX_ALLOWED_CIDRS: '127.0.0.1/32',
      WEBHOOK_TIME_SCALE: '0.02',
      WEBHOOK_POLL_MS: '50',
    };
    const known = new Set(await senders());
    const child = spawn(process.execPath, [bundle.file], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    const id = await eventually(
      async () => (await senders()).find((each) => !known.has(each)),
      'the dispatcher shows itself',
      { timeoutMs: 30_000 },
    );
    return { id, child, privateUrl: `http://127.0.0.1:${privatePort}` };
  };
  const senders = async (): Promise<string[]> =>
    (await db.query<{ id: string }>('select id from senders')).map((row) => row.id);

  return {
    db,
    shop,
    start,
    async announce(count: number): Promise<string[]> {
      const events = Array.from({ length: count }, () => anEvent('intent.paid', merchant));
      await db.transaction((tx) => messaging.publish(tx, events));
      return events.map(({ data }) => data.intent.id);
    },
    async close() {
      await Promise.all([...children].map((child) => killed(child)));
      stop.abort();
      await relaying;
      await messaging.close();
      await shop.close();
      await dropNamespace(amqpUrl(), namespace);
      await db.close();
      await database.drop();
      bundle.remove();
    },
  };
}

export interface Dispatcher {
  /** The owner of its leases. */
  readonly id: string;
  readonly child: ChildProcess;
  readonly privateUrl: string;
}

export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/**
 * Endpoints that take a few milliseconds to answer, so that a kill finds requests on their way; or that wait for a
 * word.
 */
async function openShop() {
  const got: Got[] = [];
  let held: ServerResponse[] | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { data: { payment_intent_id: string } };
      got.push({
        deliveryId: String(request.headers['x-webhook-id']),
        attempt: Number(request.headers['x-webhook-attempt']),
        endpoint: String(request.url),
        intentId: body.data.payment_intent_id,
      });
      if (held) held.push(response);
      else setTimeout(() => response.end(), 5 + Math.random() * 25);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    got: got as readonly Got[],
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Stops all responses. */
    hold(): void {
      held = [];
    },
    get waiting(): number {
      return held?.length ?? 0;
    },
    /** Later requests are answered; gives how to answer those that wait. */
    letLaterThrough(): (status: number) => void {
      const waiting = held ?? [];
      held = undefined;
      return (status) => waiting.forEach((response) => response.writeHead(status).end());
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bundleMain(): Promise<{ file: string; remove(): void }> {
  // Inside the repository, so that packages are resolved.
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, 'webhook-dispatcher-'));
  await build({
    entryPoints: [join(ROOT, 'apps', service, 'src', 'main.ts')],
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    logLevel: 'silent',
    define: { __FAILPOINTS__: 'false' },
    plugins: [
      {
        name: 'packages stay outside',
        setup: (plugins) =>
          plugins.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@pay/') ? undefined : { path, external: true },
          ),
      },
    ],
  });
  return { file: join(outdir, 'main.js'), remove: () => rmSync(outdir, { recursive: true, force: true }) };
}
