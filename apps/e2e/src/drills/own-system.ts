import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES, type ServiceName } from '@pay/contracts';
import {
  freePort,
  resultOf,
  startPostgres,
  startRabbitMq,
  type LocalPostgres,
  type LocalRabbitMq,
} from '@pay/local-servers';
import { REPOSITORY } from '../repository';
import { readSystem, type RunningSystem } from '../system';

const TOOLS = join(REPOSITORY, 'dist', 'tools');

/** Long, because several systems may start at the same time on a busy machine. */
export const START_MS = 300_000;

export type Passwords = Readonly<Record<ServiceName, string>>;

/** A complete system with its own servers, which a drill may destroy. The services are started like by `npm start`. */
export class OwnSystem {
  private starter: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private server: LocalPostgres,
    readonly broker: LocalRabbitMq,
    private readonly brokerPasswords: Passwords,
    /** Chosen per system, because systems that start at the same time would all find the default port free. */
    private readonly port: number,
  ) {}

  /** Starts Postgres and RabbitMQ below `folder`, then the six services. */
  static async start(folder: string): Promise<OwnSystem> {
    // If this runs as root, Postgres runs as another user, who must be able to traverse the folder.
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    const starting = [
      openPostgres(folder),
      startRabbitMq({ stateDir: join(folder, 'broker'), log: () => undefined }),
    ] as const;
    // Both have started or failed before an error is thrown, so that the caller finds what it must end.
    await Promise.allSettled(starting);
    const [server, broker] = await Promise.all(starting);
    const passwords = Object.fromEntries(SERVICES.map((service) => [service, randomBytes(16).toString('hex')]));
    const system = new OwnSystem(folder, server, broker, passwords as Passwords, await freePort());
    try {
      await system.prepareBroker();
      writeFileSync(join(folder, 'amqp-passwords.json'), JSON.stringify(passwords), { mode: 0o600 });
      await system.startServices();
    } catch (error) {
      await system.stop();
      throw error;
    }
    return system;
  }

  get runFolder(): string {
    return join(this.folder, 'system');
  }

  get description(): RunningSystem {
    return readSystem(this.runFolder);
  }

  get postgres(): LocalPostgres {
    return this.server;
  }

  async startServices(): Promise<void> {
    const args = [join(TOOLS, 'start.js'), '--no-demo', '--run-dir', this.runFolder, '--port', String(this.port)];
    const starter = spawn(process.execPath, args, {
      env: {
        ...process.env,
        DATABASE_URL: this.server.url,
        AMQP_URL: this.broker.url,
        AMQP_PASSWORDS_FILE: join(this.folder, 'amqp-passwords.json'),
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    this.starter = starter;
    starter.stdout?.resume();
    const ended = once(starter, 'exit').then(() => {
      throw new Error('The services did not start; see the output above.');
    });
    await Promise.race([once(starter, 'message'), ended]);
    ended.catch(() => undefined);
  }

  async stopServices(): Promise<void> {
    const { starter } = this;
    this.starter = undefined;
    if (starter === undefined || starter.exitCode !== null || starter.signalCode !== null) return;
    const ended = once(starter, 'exit');
    starter.kill('SIGTERM');
    await ended;
  }

  /** Creates accounts and exchanges on an empty RabbitMQ, as documented in docs/messaging-security.md. */
  async prepareBroker(): Promise<void> {
    await this.broker.importDefinitions(await this.brokerDefinitions(this.brokerPasswords));
  }

  /** The services must be stopped. */
  async deleteMessages(): Promise<string> {
    const { code, output } = await this.tool('broker', ['delete-messages'], { AMQP_URL: this.broker.url });
    if (code !== 0) throw new Error(output);
    return output.trim();
  }

  /** The output of `node tools/broker.mjs definitions`. */
  async brokerDefinitions(passwords: Passwords): Promise<object> {
    const folder = join(this.folder, 'broker-passwords');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const service of SERVICES) writeFileSync(join(folder, service), passwords[service], { mode: 0o600 });
    const { code, output } = await this.tool('broker', ['definitions', folder], {});
    rmSync(folder, { recursive: true });
    if (code !== 0) throw new Error(output);
    return JSON.parse(output) as object;
  }

  /** Starts Postgres with the current content of its data folder. */
  async restartPostgres(): Promise<void> {
    this.server = await openPostgres(this.folder);
  }

  /** Runs the commands of docs/recovery.md with the database of a service. Returns the output. */
  async replay(service: ServiceName, words: readonly string[]): Promise<string> {
    const env = { DATABASE_URL: this.description.databaseUrls[service] ?? '' };
    return (await this.tool('replay', words, env)).output;
  }

  /** Runs `npm run verify`. */
  async verify(): Promise<{ readonly isClean: boolean; readonly report: string }> {
    const { code, output } = await this.tool('verify', ['--run-dir', this.runFolder], {});
    return { isClean: code === 0, report: output };
  }

  async tool(
    name: string,
    words: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly output: string }> {
    const args = [join(TOOLS, `${name}.js`), ...words];
    const { code, stdout, stderr } = await resultOf(process.execPath, args, { env: { ...process.env, ...env } });
    return { code, output: stdout + stderr };
  }

  async stop(): Promise<void> {
    await this.stopServices();
    await Promise.all([this.server.stop(), this.broker.stop()]);
  }
}

/** Archiving must be enabled at the start. The destination of WAL files can be set later. */
function openPostgres(stateDir: string): Promise<LocalPostgres> {
  return startPostgres({ stateDir, settings: { archive_mode: 'on' }, log: () => undefined });
}
