import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, identifyProcess, isSameProcess, type ProcessIdentity } from '@pay/local-servers';
import { writePrivately } from './write-privately';

const PATIENCE_MS = 10_000;

/** If this run is killed, the next one ends the stored processes. */
export function rememberProcesses(runDir: string, pids: readonly number[]): void {
  const identities = pids.flatMap((pid) => identifyProcess(pid) ?? []);
  writePrivately(join(runDir, 'processes.json'), identities);
}

/** Skips process ids that belong to another process now. */
export async function endLeftBehind(runDir: string): Promise<number> {
  const path = join(runDir, 'processes.json');
  if (!existsSync(path)) return 0;
  const identities = JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity[];
  const living = identities.filter(isSameProcess);
  await Promise.all(living.map(({ pid }) => endProcess(pid, 'SIGTERM', PATIENCE_MS)));
  rmSync(path, { force: true });
  return living.length;
}
