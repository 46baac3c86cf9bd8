import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSystem, type RunningSystem } from './system';

const DIST = resolve(__dirname, '..', '..', '..', 'dist', 'apps', 'dashboard-api');

/** The programs of dashboard-api as an operator of this installation runs them. */
export class ControlPlane {
  private readonly environment: Record<string, string>;

  constructor(runDirectory: string, system: RunningSystem = readSystem(runDirectory)) {
    const { rolePasswords } = JSON.parse(readFileSync(join(runDirectory, 'seed.json'), 'utf8')) as {
      rolePasswords: Record<string, string>;
    };
    const database = new URL(system.postgresUrl);
    database.username = 'dashboard_api';
    database.password = rolePasswords['dashboard-api'] ?? '';
    this.environment = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: database.toString(),
      AMQP_URL: system.amqpUrl,
      AMQP_NAMESPACE: system.amqpNamespace,
    };
  }

  /** `run('lock-api-key', { key: id })`: one command, its answer. Its events are published when this resolves. */
  async run<Answer>(command: string, options: Readonly<Record<string, string>>): Promise<Answer> {
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    return JSON.parse(await this.program('cli', [command, ...args])) as Answer;
  }

  /** Runs one of the bundles to its end and returns what it printed; throws what it said when it fails. */
  async program(name: 'cli' | 'make-seed' | 'seed', args: readonly string[], input = ''): Promise<string> {
    const child = spawn(process.execPath, [join(DIST, `${name}.js`), ...args], { env: this.environment });
    const output: Buffer[] = [];
    const complaint: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk));
    child.stdin.end(input);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code === 0) return Buffer.concat(output).toString();
    throw new Error(`${name} ${args[0] ?? ''} ended with code ${code}: ${Buffer.concat(complaint).toString()}`);
  }
}
