/**
 * A rolling upgrade under load, for tools/upgrade.mjs. Usage: upgrade.js RUN_FOLDER BEFORE_ROOT CURRENT_ROOT PAYMENTS.
 * BEFORE_ROOT and CURRENT_ROOT are built checkouts.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endServersBelow, startRabbitMq, StopRequested, StopSignal } from '@pay/local-servers';
import { leftOver } from '../left-over';
import { ServiceDatabases } from '../service-databases';
import { readSystem, type RunningSystem } from '../system';
import { PaymentLoad } from './payment-load';
import { ReplaceableSystem, SERVICES, startAndStop } from './replaceable-system';

const QUIET_TIMEOUT_MS = 120_000;

async function main(): Promise<number> {
  const [runFolder = '', before = '', current = '', payments = ''] = process.argv.slice(2);
  const folders = {
    broker: join(runFolder, 'broker'),
    system: join(runFolder, 'system'),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const signal = new StopSignal();
  signal.listen();
  void signal.requested.then((reason) => console.log(`Stopping (${reason})`));
  const broker = await startRabbitMq({ stateDir: folders.broker, log: console.log });
  const env = { ...process.env, AMQP_URL: broker.url };
  let system: ReplaceableSystem | undefined;
  try {
    signal.check();
    console.log('The version before creates its databases and queues');
    await startAndStop(before, folders.system, env);
    signal.check();
    system = await ReplaceableSystem.start({ root: current, runFolder: folders.system, env, servicesFrom: before });
    return await signal.orStop(upgradeUnderLoad(system, { before, current, payments: Number(payments) }));
  } catch (error) {
    // Ctrl-C also ends programs that are started here: their errors are not the reason.
    signal.check();
    throw error;
  } finally {
    await system?.stop();
    await broker.stop();
    // Postgres of the system may keep its data outside the folder.
    await endServersBelow(runFolder);
  }
}

interface Versions {
  readonly before: string;
  readonly current: string;
  /** Per mix of versions. */
  readonly payments: number;
}

async function upgradeUnderLoad(system: ReplaceableSystem, { before, current, payments }: Versions): Promise<number> {
  const load = await PaymentLoad.begin(system.runFolder);
  const rounds = [
    { name: 'forward', services: SERVICES, root: current },
    { name: 'back', services: SERVICES, root: before },
    { name: 'forward, in the opposite order', services: [...SERVICES].reverse(), root: current },
  ];
  await load.played(payments);
  for (const { name, services, root } of rounds) {
    for (const service of services) {
      await system.replace(service, root);
      await load.played(payments);
    }
    console.log(`${name}: ${load.count} payments played`);
  }
  const problems = await load.end();
  problems.push(...(await nothingLeftOver(system.runFolder)), ...(await system.verify()));
  for (const problem of problems) console.error(problem);
  console.log(
    `${load.count} payments, ${load.repeatedRequests} requests had to be repeated: ${problems.length} problems`,
  );
  return problems.length === 0 ? 0 : 1;
}

async function nothingLeftOver(runFolder: string): Promise<string[]> {
  const deadline = performance.now() + QUIET_TIMEOUT_MS;
  const system = readSystem(runFolder);
  const look = async () => [...(await leftOver(system)), ...(await openClaims(system))];
  let found = await look();
  while (found.length > 0 && performance.now() < deadline) {
    await new Promise((next) => setTimeout(next, 1_000));
    found = await look();
  }
  return found;
}

/** Every claim of the load pays, so its customer must see a final result. */
async function openClaims(system: RunningSystem): Promise<string[]> {
  const databases = new ServiceDatabases(system);
  try {
    const sql = `select state, count(*) from checkout_api.claims where state <> 'settled' group by state`;
    const { rows } = await databases.query<{ state: string; count: string }>('checkout-api', sql);
    return rows.map(({ state, count }) => `checkout-api: ${count} claims ${state}`);
  } finally {
    await databases.close();
  }
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StopRequested ? error.message : error);
    process.exit(1);
  },
);
