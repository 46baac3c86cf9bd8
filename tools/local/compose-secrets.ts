import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { SERVICES } from '@pay/contracts';
import { definitionsOf } from '@pay/messaging';
import type { InstallationSecrets } from './installation-secrets';
import type { Certificate } from './private-certificates';

/** Host names in the server certificates. Clients use the first one. */
export const COMPOSE_HOSTS = { postgres: ['postgres'], rabbitmq: ['rabbitmq'], edge: ['localhost'] } as const;

interface Tls {
  readonly authority: string;
  readonly servers: Readonly<Record<keyof typeof COMPOSE_HOSTS, Certificate>>;
}

/** Path and content of each file that deploy/compose/compose.yaml mounts as a secret. */
export function composeSecretFiles(secrets: InstallationSecrets, { authority, servers }: Tls): Record<string, string> {
  const { postgres, rabbitmq, edge } = servers;
  const definitions = definitionsOf({ namespace: '', vhost: '/', passwords: secrets.brokerPasswords });
  return {
    'private-ca/ca.crt': authority,
    'postgres/password': secrets.superuserPassword,
    ...pair('postgres', postgres),
    'rabbitmq/definitions.json': JSON.stringify(definitions),
    ...pair('rabbitmq', rabbitmq),
    ...pair('edge', edge),
    'grafana/password': randomBytes(24).toString('hex'),
    ...inFolder('provision', { DATABASE_URL: secrets.superuserUrl, ...secrets.rolePasswords }),
    ...Object.fromEntries(
      SERVICES.flatMap((service) => Object.entries(inFolder(`services/${service}`, secrets.settings[service]))),
    ),
  };
}

/**
 * Containers have user ids that this machine does not know, so files are readable by others. Only the owner can access
 * the folder.
 */
export function writeSecretFiles(folder: string, files: Readonly<Record<string, string>>): void {
  if (existsSync(folder))
    throw new Error(`${folder} exists. Its secrets belong to data that nothing else can read: keep it.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    for (let parent = dirname(file); parent !== folder && !existsSync(parent); parent = dirname(parent)) {
      mkdirSync(parent, { recursive: true });
    }
    writeFileSync(file, content);
    chmodSync(file, 0o644);
  }
}

function pair(server: string, { certificate, key }: Certificate): Record<string, string> {
  return inFolder(server, { 'tls.crt': certificate, 'tls.key': key });
}

function inFolder(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));
}
