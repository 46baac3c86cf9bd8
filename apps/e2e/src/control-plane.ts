import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventKeySettings } from './signed-events';
import { readSystem, type RunningSystem } from './system';

const DIST = resolve(__dirname, '..', '..', '..', 'dist', 'apps', 'dashboard-api');

/** Runs programs of dashboard-api like an operator of this installation. */
export class ControlPlane {
  private readonly environment: Record<string, string>;

  constructor(
    private readonly runDirectory: string,
    system: RunningSystem = readSystem(runDirectory),
  ) {
    this.environment = {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'development',
      DATABASE_URL: system.databaseUrls['dashboard-api'] ?? '',
      AMQP_URL: system.amqpUrls['dashboard-api'] ?? '',
      AMQP_NAMESPACE: system.amqpNamespace,
      EVENT_SIGNING_KEYS: eventKeySettings(system, 'dashboard-api')['EVENT_SIGNING_KEYS'] ?? '',
    };
  }

  /** Example: `run('lock-api-key', { key: id })`. Returns the result of the command after its events are published. */
  async run<Answer>(command: string, options: Readonly<Record<string, string>>): Promise<Answer> {
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    return JSON.parse(await this.program('cli', [command, ...args])) as Answer;
  }

  /**
   * For commands that call other services. Uses the environment of the running dashboard-api, and also returns the exit
   * code.
   */
  async ask<Answer>(
    command: string,
    options: Readonly<Record<string, string>>,
    input = '',
  ): Promise<{ answer: Answer; exitCode: number }> {
    const environments = JSON.parse(readFileSync(join(this.runDirectory, 'environments.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    const { code, output, complaint } = await run(
      'cli',
      [command, ...args],
      environments['dashboard-api'] ?? {},
      input,
    );
    if (output === '') throw new Error(`${command} ended with code ${code}: ${complaint}`);
    return { answer: JSON.parse(output) as Answer, exitCode: code ?? 1 };
  }

  /** Returns the output of the bundle. Throws the output if it fails. */
  async program(name: 'cli' | 'make-seed' | 'seed', args: readonly string[], input = ''): Promise<string> {
    const { code, output, complaint } = await run(name, args, this.environment, input);
    if (code === 0) return output;
    throw new Error(`${name} ${args[0] ?? ''} ended with code ${code}: ${complaint}`);
  }
}

async function run(
  name: 'cli' | 'make-seed' | 'seed',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<{ code: number | null; output: string; complaint: string }> {
  const child = spawn(process.execPath, [join(DIST, `${name}.js`), ...args], { env });
  const output: Buffer[] = [];
  const complaint: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output: Buffer.concat(output).toString(), complaint: Buffer.concat(complaint).toString() };
}
