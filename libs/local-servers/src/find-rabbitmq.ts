import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const DEBIAN_ROOT = '/usr/lib/rabbitmq/lib';

/**
 * The folder of RabbitMQ's start scripts, which run a node as any user. Debian's `/usr/sbin/rabbitmq-server` is a
 * wrapper that requires root or user `rabbitmq`.
 */
export function findRabbitMq(path = process.env['PATH'] ?? ''): string | undefined {
  return [...onPath(path), ...fromDebian(), '/opt/rabbitmq/sbin', '/opt/homebrew/opt/rabbitmq/sbin'].find(isScripts);
}

function onPath(path: string): string[] {
  return path.split(delimiter).flatMap((dir) => {
    const file = join(dir, 'rabbitmq-server');
    return existsSync(file) ? [dirname(realpathSync(file))] : [];
  });
}

function fromDebian(): string[] {
  if (!existsSync(DEBIAN_ROOT)) return [];
  const versions = readdirSync(DEBIAN_ROOT).filter((name) => name.startsWith('rabbitmq_server-'));
  versions.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  return versions.map((name) => join(DEBIAN_ROOT, name, 'sbin'));
}

function isScripts(dir: string): boolean {
  return existsSync(join(dir, 'rabbitmq-server')) && existsSync(join(dir, 'rabbitmq-env'));
}
