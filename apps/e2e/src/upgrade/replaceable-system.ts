import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultOf } from '@pay/local-servers';
import { eventually } from '@pay/testing';
import { isReady } from '../hold-down';
import { readSystem } from '../system';

/** In the order in which a payment passes them. */
export const SERVICES = [
  'dashboard-api',
  'intent-api',
  'checkout-api',
  'sms-ingest',
  'reconciler',
  'webhook-dispatcher',
] as const;

type Service = (typeof SERVICES)[number];

interface StartOptions {
  /** A built checkout whose `npm start` starts the system. */
  readonly root: string;
  readonly runFolder: string;
  readonly env: NodeJS.ProcessEnv;
  /** A built checkout whose services run first. */
  readonly servicesFrom: string;
}

const START_TIMEOUT_MS = 180_000;

/** Services can be replaced one at a time by those of another version. */
export class ReplaceableSystem {
  private constructor(
    private readonly starter: ChildProcess,
    private readonly root: string,
    readonly runFolder: string,
  ) {}

  static async start({ root, runFolder, env, servicesFrom }: StartOptions): Promise<ReplaceableSystem> {
    for (const service of SERVICES) choose(runFolder, service, servicesFrom);
    return new ReplaceableSystem(await startSystem(root, runFolder, env), root, runFolder);
  }

  /** Stops the service like a rollout, and resolves when the other version is ready. */
  async replace(service: Service, root: string): Promise<void> {
    choose(this.runFolder, service, root);
    const { pid = 0 } = readSystem(this.runFolder).services[service] ?? {};
    process.kill(pid, 'SIGTERM');
    await eventually(
      async () => readSystem(this.runFolder).services[service]?.pid !== pid && (await isReady(this.runFolder, service)),
      `${service} is replaced`,
      { timeoutMs: START_TIMEOUT_MS },
    );
  }

  /** Problems that `npm run verify` reports. */
  async verify(): Promise<string[]> {
    const args = [join(this.root, 'tools', 'verify.mjs'), '--run-dir', this.runFolder];
    const { code, stdout, stderr } = await resultOf(process.execPath, args, { cwd: this.root });
    return code === 0 ? [] : [stdout + stderr];
  }

  async stop(): Promise<void> {
    await stopSystem(this.starter);
  }
}

/** Creates the databases of a version in the run folder, and its queues on the broker. */
export async function startAndStop(root: string, runFolder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await stopSystem(await startSystem(root, runFolder, env));
}

async function startSystem(root: string, runFolder: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const args = [join(root, 'tools', 'start.mjs'), '--no-demo', '--run-dir', runFolder];
  const starter = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  starter.stdout.resume();
  const ended = once(starter, 'exit').then(([code]: (number | null)[]) => {
    throw new Error(`npm start of ${root} ended with code ${code}`);
  });
  const runs = eventually(() => existsSync(join(runFolder, 'gateway.json')), 'the system runs', {
    timeoutMs: START_TIMEOUT_MS,
  });
  await Promise.race([runs, ended]);
  ended.catch(() => undefined);
  return starter;
}

async function stopSystem(starter: ChildProcess): Promise<void> {
  if (starter.exitCode !== null || starter.signalCode !== null) return;
  const ended = once(starter, 'exit');
  starter.kill('SIGTERM');
  await ended;
}

function choose(runFolder: string, service: Service, root: string): void {
  mkdirSync(join(runFolder, 'versions'), { recursive: true, mode: 0o700 });
  writeFileSync(join(runFolder, 'versions', `${service}.json`), JSON.stringify({ root }), { mode: 0o600 });
}
