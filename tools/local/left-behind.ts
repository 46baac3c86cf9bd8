import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, identifyProcess, isSameProcess, type ProcessIdentity } from '@pay/local-servers';
import { writePrivately } from './write-privately';

const PATIENCE_MS = 10_000;

/** Writes down which processes this run has started, so that the next one can end them if this one is killed. */
export function rememberProcesses(runDir: string, pids: readonly number[]): void {
  const identities = pids.flatMap((pid) => identifyProcess(pid) ?? []);
  writePrivately(join(runDir, 'processes.json'), identities);
}

/** Ends processes of a killed run. A process id that now belongs to another process is skipped. */
export async function endLeftBehind(runDir: string): Promise<number> {
  const path = join(runDir, 'processes.json');
  if (!existsSync(path)) return 0;
  const identities = JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity[];
  const living = identities.filter(isSameProcess);
  await Promise.all(living.map(({ pid }) => endProcess(pid, 'SIGTERM', PATIENCE_MS)));
  rmSync(path, { force: true });
  return living.length;
}
