import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { dockerAnswers, startRabbitMqInDocker } from './rabbitmq-in-docker';
import { findRabbitMq } from './find-rabbitmq';
import { installer, installPackage } from './install-package';
import type { LocalRabbitMq } from './local-rabbitmq';
import type { Log } from './log';
import { startRabbitMqNode } from './rabbitmq-node';

export interface RabbitMqOptions {
  /** Contains all files of the broker. They are kept when the broker stops. */
  readonly stateDir: string;
  readonly log: Log;
}

/**
 * Starts a private RabbitMQ: an installed one, else one in Docker, else the package of the distribution, else throws an
 * error that says how to install it.
 */
export async function startRabbitMq({ stateDir, log }: RabbitMqOptions): Promise<LocalRabbitMq> {
  const home = join(stateDir, 'rabbitmq');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const installed = findRabbitMq();
  if (installed) return startRabbitMqNode(installed, home, log);
  if (await dockerAnswers()) return startRabbitMqInDocker(home, log);
  const command = installer();
  if (command) {
    await installPackage(command, 'rabbitmq-server', log);
    const fresh = findRabbitMq();
    if (fresh) return startRabbitMqNode(fresh, home, log);
  }
  throw new Error(
    'RabbitMQ was not found. Do one of these and try again: install it (Debian, Ubuntu: `sudo apt-get install rabbitmq-server`; ' +
      'macOS: `brew install rabbitmq`), or start Docker, or set AMQP_URL to an existing RabbitMQ (amqp://user:password@host:5672).',
  );
}
