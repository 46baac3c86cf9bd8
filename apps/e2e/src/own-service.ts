import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@pay/local-servers';
import { eventually } from '@pay/testing';
import { REPOSITORY } from './repository';

export type Settings = Readonly<Record<string, string>>;

export interface OwnService {
  /** Standard output and standard error. */
  readonly output: () => string;
  /** Stops it like a deployment, and returns its exit code. */
  readonly stop: () => Promise<number | null>;
}

export interface Replica extends OwnService {
  readonly port: number;
  readonly privatePort: number;
}

const READY_TIMEOUT_MS = 60_000;

/** A drill that is stopped ends in the middle of a deployment. */
const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGTERM');
});

/** The settings of the running service. */
export function runningSettings(runDirectory: string, service: string): Settings {
  const environments = JSON.parse(readFileSync(join(runDirectory, 'environments.json'), 'utf8')) as Record<
    string,
    Settings
  >;
  return environments[service] ?? {};
}

/** Another process of a service, at free ports. */
export async function startReplica(service: string, settings: Settings): Promise<Replica> {
  const [port, privatePort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), PRIVATE_PORT: String(privatePort) };
  return { port, privatePort, ...(await startService(service, { ...settings, ...ports })) };
}

/** Resolves when the service is ready. */
export async function startService(service: string, settings: Settings): Promise<OwnService> {
  const bundle = (name: string) => join(REPOSITORY, 'dist', 'apps', service, `${name}.js`);
  const child = spawn(
    process.env['SERVICE_NODE'] ?? process.execPath,
    ['--require', bundle('telemetry'), bundle('main')],
    { env: { ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  living.add(child);
  child.once('exit', () => living.delete(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${service} ended with code ${child.exitCode}: ${text.slice(-2_000)}`);
    const url = `http://127.0.0.1:${settings['PRIVATE_PORT']}/readyz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return answer.status === 200;
  };
  const stop = async (): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    return child.exitCode;
  };
  const timeout = { timeoutMs: READY_TIMEOUT_MS };
  await eventually(isReady, `${service} is ready with other settings`, timeout).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { output: () => text, stop };
}
