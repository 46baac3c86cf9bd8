import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '@pay/testing';
import { holdDown, isReady } from './hold-down';

const BUNDLES = resolve(__dirname, '..', '..', '..', 'dist', 'apps');

export interface ReplacedService {
  /** Standard output and standard error. */
  readonly output: () => string;
  /** Stops it like a deployment. Its address does not respond until `putBack`. */
  stop(): Promise<void>;
  putBack(): Promise<void>;
}

/** Replaces the running process of a service by one with the same program and environment and additional settings. */
export async function replaceService(
  runDirectory: string,
  service: string,
  settings: Readonly<Record<string, string>>,
): Promise<ReplacedService> {
  const environments = JSON.parse(readFileSync(join(runDirectory, 'environments.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const putBack = await holdDown(runDirectory, service);
  const bundle = (name: string) => join(BUNDLES, service, `${name}.js`);
  const child = spawn(
    process.env['SERVICE_NODE'] ?? process.execPath,
    ['--require', bundle('telemetry'), bundle('main')],
    { env: { ...environments[service], ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  };
  const replaced = {
    output: () => Buffer.concat(output).toString(),
    stop,
    async putBack() {
      await stop();
      await putBack();
    },
  };
  await eventually(() => isReady(runDirectory, service), `the other ${service} is ready`, { timeoutMs: 60_000 }).catch(
    async (error: unknown) => {
      await replaced.putBack();
      throw error;
    },
  );
  return replaced;
}
