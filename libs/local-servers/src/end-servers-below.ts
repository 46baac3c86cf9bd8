import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removeRabbitMqContainer } from './rabbitmq-in-docker';
import { endProcessOf } from './processes';

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
      const data = join(path, 'data');
      await endProcessOf({ path: join(data, 'postmaster.pid'), mark: data }, 'SIGQUIT', PATIENCE_MS);
    } else if (entry.isDirectory() && entry.name === 'rabbitmq') {
      await endProcessOf({ path: join(path, 'pid'), mark: path }, 'SIGKILL', PATIENCE_MS);
      await endProcessOf({ path: join(path, 'epmd.pid'), mark: 'epmd' }, 'SIGTERM', PATIENCE_MS);
      await removeRabbitMqContainer(path);
    } else if (entry.isDirectory()) {
      await endServersBelow(path);
    }
  }
}
