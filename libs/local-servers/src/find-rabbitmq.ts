import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const DEBIAN_ROOT = '/usr/lib/rabbitmq/lib';

/**
 * Folder of RabbitMQ's own start scripts. Not Debian's `/usr/sbin/rabbitmq-server`: that is a wrapper which insists on
 * root or user `rabbitmq`, while the scripts behind it run a node for anybody.
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
