/** `npm start`, after packages are installed and everything is built. See USAGE and README.md. */
import { chmodSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { lockStateDir, provisionDatabases, StopRequested, StopSignal } from '@pay/local-servers';
import { parseStartArguments, USAGE, type StartOptions } from './arguments';
import { banner } from './banner';
import { openDemoShop } from './demo-shop';
import { takePort, takePorts } from './find-port';
import { gatewayPath, removeGatewayFile } from './gateway-file';
import { endLeftBehind } from './left-behind';
import { messageOf } from './message-of';
import { migrateServices } from './migrate-services';
import { ProgressPrinter } from './progress-printer';
import { openPostgres, openRabbitMq, type ServersOptions } from './open-servers';
import { playPayment } from './play-payment';
import { bundle, runBundle } from './run-bundle';
import { RunningSystem } from './running-system';
import { loadSeed, seedPath, type Seed } from './seed-file';
import { machineEnvironment, type ServicePorts } from './service-environment';

type Stop = () => Promise<void> | void;

async function main(): Promise<void> {
  const options = parseStartArguments(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const progress = new ProgressPrinter();
  const signal = new StopSignal();
  signal.listen();
  const stops: Stop[] = [];
  let failure: unknown;
  try {
    await bringUp(options, { progress, signal, stops });
    const reason = await signal.requested;
    progress.say(`Stopping (${reason})`);
  } catch (error) {
    if (!(error instanceof StopRequested)) failure = error;
  }
  for (const stop of stops.reverse()) {
    try {
      await stop();
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure === undefined) {
    progress.say('All processes have stopped; the data is kept');
    process.exit(0);
  }
  console.error(`\n${messageOf(failure)}`);
  process.exit(1);
}

interface StartContext {
  readonly progress: ProgressPrinter;
  readonly signal: StopSignal;
  /** Added after each start. They are called in reverse order in every case. */
  readonly stops: Stop[];
}

async function bringUp({ runDir, port, demo }: StartOptions, { progress, signal, stops }: StartContext): Promise<void> {
  const { env } = process;
  // Child processes inherit it. The run folder contains phone numbers, keys and texts.
  process.umask(0o077);
  mkdirSync(runDir, { recursive: true });
  // As root, Postgres runs as another user, who must be able to traverse the folder.
  chmodSync(runDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  const lock = lockStateDir(runDir, 'The payment gateway');
  stops.push(() => lock.release());
  removeGatewayFile(runDir);
  const leftBehind = await endLeftBehind(runDir);
  if (leftBehind > 0) progress.say(`Stopped ${leftBehind} processes of an earlier run`);
  const seed = await loadSeed(runDir, () =>
    runBundle(bundle('dashboard-api', 'make-seed'), [], machineEnvironment(env)),
  );
  signal.check();

  const serverStops: (() => Promise<void>)[] = [];
  stops.push(async () => {
    await Promise.all(serverStops.map((stop) => stop()));
  });
  const serverOptions = { runDir, progress, env, onOpen: (stop: () => Promise<void>) => serverStops.push(stop) };
  const [{ databaseUrls, ...postgres }, broker] = await bothOrNeither(
    openDatabases(seed, { ...serverOptions, signal }),
    openRabbitMq({ ...serverOptions, passwords: seed.brokerPasswords }),
  );
  signal.check();

  const taken = await takePort(port);
  stops.push(() => taken.release());
  const origin = taken.port;
  if (origin !== port) progress.say(`Port ${port} is in use; using ${origin}`);
  const baseUrl = `http://127.0.0.1:${origin}`;
  const installation = {
    seed,
    ports: await servicePorts(stops),
    databaseUrls,
    ...broker,
    baseUrl,
    mailDirectory: resolve(runDir, 'mail'),
  };
  const system = new RunningSystem({ runDir, port: origin, installation, ...postgres, progress, env });
  stops.push(() => system.stop());
  await progress.step('Six services and the public address are ready', () => system.start());
  signal.check();

  if (demo) await play(baseUrl, system, { progress, signal, stops });
  signal.check();
  // A parent process reads the gateway file instead of the output.
  if (process.send) process.send({ gateway: gatewayPath(runDir) });
  else {
    const demoOrderUrl = await openDemoOrder(system, stops);
    console.log(banner(system.gateway, { runDir, demoOrderUrl }));
  }
}

/** Only for a person at a terminal. */
async function openDemoOrder(system: RunningSystem, stops: Stop[]): Promise<string | undefined> {
  const { baseUrl, merchants } = system.gateway;
  const [merchant] = merchants;
  if (merchant === undefined) return undefined;
  const shop = await openDemoShop(baseUrl, merchant);
  stops.push(() => shop.close());
  return shop.url;
}

interface Databases {
  readonly databaseUrls: Readonly<Record<ServiceName, string>>;
  readonly postgresUrl: string;
  readonly postgresSocketFolder: string | undefined;
}

/** RabbitMQ starts at the same time. Postgres has everything that services need afterwards. */
async function openDatabases(seed: Seed, options: ServersOptions & { signal: StopSignal }): Promise<Databases> {
  const { runDir, progress, env, signal } = options;
  const { superuserUrl, prefix, socketFolder } = await openPostgres(options);
  signal.check();
  const databaseUrls = await progress.step('Six databases, one per service, are migrated', async () => {
    const urls = await provisionDatabases({ superuserUrl, prefix, passwords: seed.rolePasswords });
    await migrateServices(urls, env);
    return throughSocket(urls, socketFolder);
  });
  signal.check();
  await progress.step('The demo merchants are created', () =>
    runBundle(bundle('dashboard-api', 'seed'), [seedPath(runDir)], {
      ...machineEnvironment(env),
      DATABASE_URL: databaseUrls['dashboard-api'],
    }),
  );
  return { databaseUrls, postgresUrl: superuserUrl, postgresSocketFolder: socketFolder };
}

function throughSocket<Urls extends Readonly<Record<string, string>>>(urls: Urls, folder: string | undefined): Urls {
  if (folder === undefined) return urls;
  const host = `?host=${encodeURIComponent(folder)}`;
  return Object.fromEntries(Object.entries(urls).map(([service, url]) => [service, url + host])) as Urls;
}

/** Waits for both even if one fails, because what has started must be stopped. */
async function bothOrNeither<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** A stop does not wait for the webhook of the payment. */
async function play(baseUrl: string, system: RunningSystem, { progress, signal }: StartContext): Promise<void> {
  const [merchant] = system.gateway.merchants;
  if (!merchant) return;
  progress.say('Running the demo payment');
  const playing = playPayment(baseUrl, merchant, progress);
  await Promise.race([playing, signal.requested]);
  playing.catch(() => undefined);
}

async function servicePorts(stops: Stop[]): Promise<Record<ServiceName, ServicePorts>> {
  const taken = await takePorts(SERVICES.length * 2);
  stops.push(() => taken.forEach((each) => each.release()));
  const pairs = SERVICES.map((service, index) => [
    service,
    { port: taken[index * 2]?.port, privatePort: taken[index * 2 + 1]?.port },
  ]);
  return Object.fromEntries(pairs) as Record<ServiceName, ServicePorts>;
}

void main().catch((error: unknown) => {
  console.error(`\n${messageOf(error)}`);
  process.exit(1);
});
