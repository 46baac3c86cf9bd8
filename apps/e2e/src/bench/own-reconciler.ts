import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@pay/local-servers';
import pg from 'pg';
import { eventKeySettings } from '../signed-events';
import { postgresAsServicesReachIt, type RunningSystem } from '../system';
import { cpuMsOf } from './cpu';
import { factsOf, type QueuedEvent, type Shop } from './decision-events';
import { endChild, openService, type Opened } from './opened';
import { dropQueues, openOwnQueues, type OwnQueues } from './own-queues';

export interface OwnReconciler extends Pick<OwnQueues, 'published' | 'depth'> {
  /** Connected to the database of the reconciler. */
  readonly client: pg.Pool;
  /** Resolves when the broker has confirmed all events. */
  deliver(events: readonly QueuedEvent[]): Promise<void>;
  /** Resolves when the reconciler has stored these merchants. */
  introduce(shops: readonly Shop[]): Promise<void>;
  /** Pauses the reconciler during `work`, so that it finds all messages together. */
  whilePaused(work: () => Promise<void>): Promise<void>;
  /** Processor time since its start. */
  cpuMs(): Promise<CpuMs>;
  close(): Promise<void>;
}

export interface CpuMs {
  readonly reconciler: number;
  /** Of its Postgres backends. */
  readonly database: number;
}

export interface OwnReconcilerOptions {
  /** Folder of the bundles of the reconciler. */
  readonly bundles: string;
  readonly opened: Opened;
}

const SECRETS = ['INTENT_API', 'SMS_INGEST', 'CHECKOUT_API', 'DASHBOARD_API'];
const BACKENDS_EVERY_MS = 1_000;
const START_MS = 60_000;

/**
 * A reconciler of the production build with its own database and queues, and with peers that have no undecided texts.
 */
export async function openReconciler(system: RunningSystem, options: OwnReconcilerOptions): Promise<OwnReconciler> {
  const opened = await options.opened.part();
  try {
    return await openWith(opened, system, options.bundles);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openWith(opened: Opened, system: RunningSystem, bundles: string): Promise<OwnReconciler> {
  const name = `bench-${randomUUID().slice(0, 8)}`;
  const logFile = join(tmpdir(), `${name}.log`);
  const databaseUrl = urlOf(system, name);
  const client = await opened.open(
    () => new pg.Pool({ connectionString: databaseUrl, max: 2, application_name: 'bench' }),
    (it) => it.end(),
  );
  // The database is deleted first, which interrupts its queries.
  client.on('error', () => undefined);
  // Unique name. The superuser owns all objects, in the schema `public`.
  await opened.open(
    () => asSuperuser(system, `create database "${name}"`),
    () => asSuperuser(system, `drop database "${name}" with (force)`),
  );
  const peerServices = await opened.open(openPeerServices, (it) => it.close());
  const privatePort = await freePort();
  const privateUrl = `http://127.0.0.1:${privatePort}`;
  const namespace = `${system.amqpNamespace}${name}.`;
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PRIVATE_PORT: String(privatePort),
    DATABASE_URL: databaseUrl,
    AMQP_URL: system.amqpUrl,
    AMQP_NAMESPACE: namespace,
    INTENT_API_URL: peerServices.url,
    SMS_INGEST_URL: peerServices.url,
    CHECKOUT_API_URL: peerServices.url,
    DASHBOARD_API_URL: peerServices.url,
    ...Object.fromEntries(SECRETS.map((peer) => [`PEER_SECRET_${peer}`, 'bench-secret-of-32-characters-and-more'])),
    ...eventKeySettings(system, 'reconciler'),
    OTEL_SERVICE_NAME: 'reconciler',
    DECISION_CHAIN_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
  };
  await opened.open(
    () => undefined,
    () => dropQueues(system, namespace),
  );
  const child = await started(opened, { bundles, env, privateUrl, logFile });
  await opened.open(
    () => logFile,
    (file) => rmSync(file, { force: true }),
  );
  const queues = await openOwnQueues(system, namespace, opened);
  const backends = await opened.open(
    () => watchBackends(client),
    (it) => it.stop(),
  );

  return {
    client,
    published: queues.published,
    depth: () => queues.depth(),
    deliver: (events) => queues.send('reconciler.events', events),
    async introduce(shops) {
      const known = async () => (await client.query('select 1 from directory_facts')).rowCount ?? 0;
      const wanted = (await known()) + 2 * shops.length;
      await queues.send('reconciler.control', shops.flatMap(factsOf));
      while ((await known()) < wanted) await delay(20);
    },
    async whilePaused(work) {
      child.kill('SIGSTOP');
      try {
        await work();
      } finally {
        child.kill('SIGCONT');
      }
    },
    async cpuMs() {
      await backends.look();
      return { reconciler: cpuMsOf(child.pid ?? 0), database: backends.cpuMs() };
    },
    close: () => opened.close(),
  };
}

/** The usage of a backend is lost when its connection closes, so it is read repeatedly. */
function watchBackends(client: pg.Pool) {
  const sql = `select pid from pg_stat_activity where datname = current_database() and application_name like 'reconciler@%'`;
  const lastSeen = new Map<number, number>();
  const look = async (): Promise<void> => {
    const { rows } = await client.query<{ pid: number }>(sql);
    for (const { pid } of rows) lastSeen.set(pid, cpuMsOf(pid));
  };
  const timer = setInterval(() => void look().catch(() => undefined), BACKENDS_EVERY_MS);
  return {
    look,
    cpuMs: () => [...lastSeen.values()].reduce((sum, ms) => sum + (Number.isNaN(ms) ? 0 : ms), 0),
    stop: () => clearInterval(timer),
  };
}

interface Programs {
  readonly bundles: string;
  readonly env: Record<string, string | undefined>;
  readonly privateUrl: string;
  readonly logFile: string;
}

async function started(opened: Opened, { bundles, env, privateUrl, logFile }: Programs): Promise<ChildProcess> {
  // The flags of an installation.
  const flags = ['--enable-source-maps', '--max-semi-space-size=32', '--require', join(bundles, 'telemetry.js')];
  const run = (bundle: string) => openService(opened, [...flags, join(bundles, bundle)], env, logFile);
  const [code] = (await once(await run('migrate.js'), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the migrations of the reconciler failed; see ${logFile}`);
  // Queues and exchanges of services that do not run here.
  const broker = join(bundles, '..', '..', 'tools', 'broker.js');
  const declaring = await opened.open(
    () => spawn(process.execPath, [broker, 'declare', '--queues'], { env, stdio: ['ignore', 'ignore', 'inherit'] }),
    endChild,
  );
  const [declared] = (await once(declaring, 'exit')) as [number | null];
  if (declared !== 0) throw new Error(`declaring the queues failed; see standard error`);
  const child = await run('main.js');
  await untilReady(privateUrl, child, logFile);
  return child;
}

async function untilReady(privateUrl: string, child: ChildProcess, logFile: string): Promise<void> {
  for (const deadline = performance.now() + START_MS; performance.now() < deadline;) {
    await delay(50);
    const answer = await fetch(`${privateUrl}/readyz`).catch(() => undefined);
    const { failing } = ((await answer?.json()) ?? {}) as { failing?: string[] };
    // There is no dashboard-api, so the benchmark sends the directory records.
    if (failing?.every((check) => check === 'directory-resend') === true) return;
    if (child.exitCode !== null) break;
  }
  throw new Error(`the reconciler does not start; ${logFile} says why`);
}

function urlOf(system: RunningSystem, name: string): string {
  const url = postgresAsServicesReachIt(system);
  url.pathname = `/${name}`;
  return url.toString();
}

async function asSuperuser({ postgresUrl }: RunningSystem, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The services that the reconciler calls before it expires intents. */
async function openPeerServices() {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end('{"undecided":[]}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
