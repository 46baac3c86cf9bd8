import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removeRabbitMqContainer } from './rabbitmq-in-docker';
import { commandLine, endProcess, isAlive } from './processes';

const PATIENCE_MS = 10_000;

/** Also removes what they store outside the folder. */
export async function endServersBelow(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === 'outside-state') {
      const outside = readFileSync(path, 'utf8').split('\n')[0] ?? '';
      if (basename(outside).startsWith('payment-gateway-') && outside !== folder) {
        await endServersBelow(outside);
        rmSync(outside, { recursive: true, force: true });
      }
    } else if (entry.isDirectory() && entry.name === 'postgres') {
      await endProcessOf(join(path, 'data', 'postmaster.pid'), 'SIGQUIT', join(path, 'data'));
    } else if (entry.isDirectory() && entry.name === 'rabbitmq') {
      await endProcessOf(join(path, 'pid'), 'SIGKILL', path);
      await endProcessOf(join(path, 'epmd.pid'), 'SIGTERM', 'epmd');
      await removeRabbitMqContainer(path);
    } else if (entry.isDirectory()) {
      await endServersBelow(path);
    }
  }
}

/** The command line must contain the mark, because the system may have given the process id to another process. */
async function endProcessOf(pidFile: string, signal: NodeJS.Signals, mark: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (pid > 0 && isAlive(pid) && commandLine(pid).includes(mark)) await endProcess(pid, signal, PATIENCE_MS);
}
