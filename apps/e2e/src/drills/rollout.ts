import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { freePort } from '@pay/local-servers';
import { eventually } from '@pay/testing';
import { holdDown } from '../hold-down';
import { REPOSITORY } from '../repository';
import { readSystem } from '../system';
import { SwitchableProxy } from './switchable-proxy';

export type Settings = Readonly<Record<string, string>>;
export type SettingsByService = Readonly<Partial<Record<ServiceName, Settings>>>;

interface Replica {
  readonly process: ChildProcess;
  readonly port: number;
  readonly privatePort: number;
  readonly output: () => string;
}

/** A service at its two addresses. Another process is started before the running one ends, as in a rolling update. */
interface RolledService {
  readonly proxies: readonly [SwitchableProxy, SwitchableProxy];
  replica: Replica;
  readonly formerSettings: Settings;
  settings: Settings;
}

const READY_TIMEOUT_MS = 60_000;

/** A drill that is stopped ends in the middle of a deployment. */
const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGTERM');
});

/** Takes over the services of a running system, so that their settings can change without failed requests. */
export class Rollout {
  /** Number of replaced processes. */
  replaced = 0;
  private readonly services = new Map<ServiceName, RolledService>();

  private constructor(private readonly runFolder: string) {}

  static async takeOver(runFolder: string): Promise<Rollout> {
    const rollout = new Rollout(runFolder);
    try {
      for (const service of SERVICES) await rollout.take(service);
    } catch (error) {
      await rollout.end();
      throw error;
    }
    return rollout;
  }

  settingsOf(service: ServiceName): Settings {
    return this.taken(service).settings;
  }

  /** Settings before the first deployment, and current settings. */
  changesOf(service: ServiceName): { readonly before: Settings; readonly now: Settings } {
    const { formerSettings, settings } = this.taken(service);
    return { before: formerSettings, now: settings };
  }

  /** Replaces all these services concurrently, as a cluster does. */
  async deploy(changes: SettingsByService): Promise<void> {
    const changed = SERVICES.flatMap((service) => {
      const change = changes[service];
      return change === undefined ? [] : [this.replace(service, { ...this.settingsOf(service), ...change })];
    });
    const outcomes = await Promise.allSettled(changed);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Runs a command of a service with its current settings. */
  async command(service: ServiceName, words: readonly string[]): Promise<{ code: number | null; output: string }> {
    const file = join(REPOSITORY, 'dist', 'apps', service, 'cli.js');
    const child = spawn(process.execPath, [file, ...words], { env: { ...this.settingsOf(service) } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  /** The services of `npm start` stay stopped, because they would need the previous secrets. */
  async end(): Promise<void> {
    for (const { proxies, replica } of this.services.values()) {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await end(replica);
    }
    this.services.clear();
  }

  private async take(service: ServiceName): Promise<void> {
    const environments = JSON.parse(readFileSync(join(this.runFolder, 'environments.json'), 'utf8')) as Record<
      string,
      Settings
    >;
    const settings = environments[service] ?? {};
    const { url = '', privateUrl = '' } = readSystem(this.runFolder).services[service] ?? {};
    const replica = await start(service, settings);
    await holdDown(this.runFolder, service);
    const proxies = [
      await SwitchableProxy.listen(Number(new URL(url).port), replica.port),
      await SwitchableProxy.listen(Number(new URL(privateUrl).port), replica.privatePort),
    ] as const;
    this.services.set(service, { proxies, replica, formerSettings: settings, settings });
  }

  private async replace(service: ServiceName, settings: Settings): Promise<void> {
    const taken = this.taken(service);
    const former = taken.replica;
    const next = await start(service, settings);
    taken.replica = next;
    taken.settings = settings;
    const [proxy, privateProxy] = taken.proxies;
    await Promise.all([proxy.switchTo(next.port), privateProxy.switchTo(next.privatePort)]);
    const code = await end(former);
    this.replaced += 1;
    if (code !== 0) throw new Error(`${service} did not end cleanly: code ${code}\n${former.output().slice(-2_000)}`);
  }

  private taken(service: ServiceName): RolledService {
    const taken = this.services.get(service);
    if (taken === undefined) throw new Error(`${service} is not taken over`);
    return taken;
  }
}

async function start(service: ServiceName, settings: Settings): Promise<Replica> {
  const [port, privatePort] = [await freePort(), await freePort()];
  const bundle = (name: string) => join(REPOSITORY, 'dist', 'apps', service, `${name}.js`);
  const child = spawn(
    process.env['SERVICE_NODE'] ?? process.execPath,
    ['--require', bundle('telemetry'), bundle('main')],
    {
      env: { ...settings, PORT: String(port), PRIVATE_PORT: String(privatePort) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  living.add(child);
  child.once('exit', () => living.delete(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const replica = { process: child, port, privatePort, output: () => text };
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${service} ended with code ${child.exitCode}: ${text.slice(-2_000)}`);
    const answer = await fetch(`http://127.0.0.1:${privatePort}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return answer.status === 200;
  };
  await eventually(isReady, `${service} is ready with other settings`, { timeoutMs: READY_TIMEOUT_MS }).catch(
    async (error: unknown) => {
      await end(replica);
      throw error;
    },
  );
  return replica;
}

async function end({ process: child }: Replica): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  return child.exitCode;
}
