import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@pay/testing';
import { readSystem } from './system';

export async function isReady(runDirectory: string, service: string): Promise<boolean> {
  const url = readSystem(runDirectory).services[service]?.privateUrl ?? '';
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  return response?.status === 200;
}

/** Kills a service and prevents its restart. The returned function starts it and resolves when it is ready. */
export async function holdDown(runDirectory: string, service: string): Promise<() => Promise<void>> {
  const file = join(runDirectory, 'held', service);
  mkdirSync(join(runDirectory, 'held'), { recursive: true, mode: 0o700 });
  writeFileSync(file, '', { mode: 0o600 });
  kill(runDirectory, service);
  try {
    await eventually(async () => !(await isReady(runDirectory, service)), `${service} is down`);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
  return async () => {
    rmSync(file, { force: true });
    await eventually(() => isReady(runDirectory, service), `${service} is ready again`, { timeoutMs: 60_000 });
  };
}

/** Kills services like a power failure. Resolves when they were restarted and are ready. */
export async function restart(runDirectory: string, services: readonly string[]): Promise<void> {
  const before = services.map((service) => kill(runDirectory, service));
  for (const [index, service] of services.entries()) {
    await eventually(
      async () =>
        readSystem(runDirectory).services[service]?.pid !== before[index] && (await isReady(runDirectory, service)),
      `${service} is running again`,
      { timeoutMs: 60_000 },
    );
  }
}

function kill(runDirectory: string, service: string): number {
  const pid = readSystem(runDirectory).services[service]?.pid;
  if (pid === undefined || pid === 0) throw new Error(`${service} is not running`);
  process.kill(pid, 'SIGKILL');
  return pid;
}
