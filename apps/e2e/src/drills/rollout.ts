import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { resultOf } from '@pay/local-servers';
import { holdDown } from '../hold-down';
import { runningSettings, startReplica, type Replica, type Settings } from '../own-service';
import { REPOSITORY } from '../repository';
import { readSystem } from '../system';
import { SwitchableProxy } from './switchable-proxy';

export type SettingsByService = Readonly<Partial<Record<ServiceName, Settings>>>;

/** A service at its two addresses. Another process is started before the running one ends, as in a rolling update. */
interface RolledService {
  readonly proxies: readonly [SwitchableProxy, SwitchableProxy];
  replica: Replica;
  readonly formerSettings: Settings;
  settings: Settings;
}

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
    const { code, stdout, stderr } = await resultOf(process.execPath, [file, ...words], {
      env: this.settingsOf(service),
    });
    return { code, output: stdout + stderr };
  }

  /** The services of `npm start` stay stopped, because they would need the previous secrets. */
  async end(): Promise<void> {
    for (const { proxies, replica } of this.services.values()) {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await replica.stop();
    }
    this.services.clear();
  }

  private async take(service: ServiceName): Promise<void> {
    const settings = runningSettings(this.runFolder, service);
    const { url = '', privateUrl = '' } = readSystem(this.runFolder).services[service] ?? {};
    const replica = await startReplica(service, settings);
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
    const next = await startReplica(service, settings);
    taken.replica = next;
    taken.settings = settings;
    const [proxy, privateProxy] = taken.proxies;
    await Promise.all([proxy.switchTo(next.port), privateProxy.switchTo(next.privatePort)]);
    const code = await former.stop();
    this.replaced += 1;
    if (code !== 0) throw new Error(`${service} did not end cleanly: code ${code}\n${former.output().slice(-2_000)}`);
  }

  private taken(service: ServiceName): RolledService {
    const taken = this.services.get(service);
    if (taken === undefined) throw new Error(`${service} is not taken over`);
    return taken;
  }
}
