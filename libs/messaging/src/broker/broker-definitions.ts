import { createHash, randomBytes } from 'node:crypto';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { permissionsOf } from './permissions';
import { namesIn } from './topology';

export interface DefinitionsOptions {
  readonly namespace: string;
  readonly vhost: string;
  readonly passwords: Readonly<Record<ServiceName, string>>;
}

const HASHING = 'rabbit_password_hashing_sha256';
const SALT_BYTES = 4;

/**
 * The accounts of all services in RabbitMQ's import format: users, permissions, topic permissions, and the exchanges
 * that no service may declare. It contains passwords only as salted hashes.
 */
export function definitionsOf({ namespace, vhost, passwords }: DefinitionsOptions) {
  const names = namesIn(namespace);
  const each = SERVICES.map((service) => permissionsOf(service, namespace));
  return {
    users: SERVICES.map((service) => ({
      name: names.user(service),
      password_hash: passwordHash(passwords[service]),
      hashing_algorithm: HASHING,
      tags: '',
    })),
    vhosts: [{ name: vhost }],
    permissions: each.map(({ user, configure, write, read }) => ({ user, vhost, configure, write, read })),
    topic_permissions: each.flatMap(({ user, topics }) => topics.map((topic) => ({ user, vhost, ...topic }))),
    exchanges: SERVICES.map((service) => ({
      name: names.events(service),
      vhost,
      type: 'topic',
      durable: true,
      auto_delete: false,
      internal: false,
      arguments: {},
    })),
  };
}

export type Definitions = ReturnType<typeof definitionsOf>;

/** RabbitMQ's format: the salt, then SHA-256 over salt and password, all in base64. */
export function passwordHash(password: string, salt = randomBytes(SALT_BYTES)): string {
  const digest = createHash('sha256').update(salt).update(password, 'utf8').digest();
  return Buffer.concat([salt, digest]).toString('base64');
}
