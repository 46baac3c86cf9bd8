import { join, resolve } from 'node:path';
import { outputOf, resultOf } from '@pay/local-servers';
import { runningSettings } from './own-service';
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
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    const env = runningSettings(this.runDirectory, 'dashboard-api');
    const { code, stdout, stderr } = await resultOf(process.execPath, [join(DIST, 'cli.js'), command, ...args], {
      env,
      input,
    });
    if (stdout === '') throw new Error(`${command} ended with code ${code}: ${stderr}`);
    return { answer: JSON.parse(stdout) as Answer, exitCode: code ?? 1 };
  }

  /** Returns the output of the bundle. Throws the output if it fails. */
  async program(name: 'cli' | 'make-seed' | 'seed', args: readonly string[], input = ''): Promise<string> {
    const options = { env: this.environment, input, title: `${name} ${args[0] ?? ''}` };
    return outputOf(process.execPath, [join(DIST, `${name}.js`), ...args], options);
  }
}
