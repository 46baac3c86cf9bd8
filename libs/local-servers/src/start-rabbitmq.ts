import { join } from 'node:path';
import { chmodSync, mkdirSync } from 'node:fs';
import { dockerAnswers, startRabbitMqInDocker } from './rabbitmq-in-docker';
import { findRabbitMq } from './find-rabbitmq';
import { installer, installPackage } from './install-package';
import type { Log } from './log';
import { closeToOthers } from './private-files';
import { startRabbitMqNode } from './rabbitmq-node';

export interface RabbitMqOptions {
  /** Everything the broker keeps lives in here, and survives a stop. */
  readonly stateDir: string;
  /** May the distribution's package be installed where there is neither a RabbitMQ nor Docker? Default: yes. */
  readonly allowInstall?: boolean;
  /** Image of the Docker road. */
  readonly image?: string;
  readonly log: Log;
}

export interface LocalRabbitMq {
  readonly url: string;
  readonly port: number;
  /** Process of the broker itself; 0 when it runs in Docker. */
  readonly pid: number;
  readonly logFile: string;
  stop(): Promise<void>;
  /** SIGKILL to the broker, as a machine that loses power would do to it. */
  kill(): Promise<void>;
  /** Starts the broker again on the same port with what it had stored; stops it first when it runs. */
  restart(): Promise<void>;
  /** Runs rabbitmqctl against this broker and returns what it prints. */
  ctl(...args: string[]): Promise<string>;
  /** Adds users, permissions and whatever else RabbitMQ calls definitions; what is there already is changed. */
  importDefinitions(definitions: object): Promise<void>;
}

/**
 * Starts a private RabbitMQ: an installed one, else in Docker, else the distribution's package, else a sentence that
 * helps.
 */
export async function startRabbitMq(options: RabbitMqOptions): Promise<LocalRabbitMq> {
  const { log, image = 'rabbitmq:4-management' } = options;
  const home = join(options.stateDir, 'rabbitmq');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
  closeToOthers(home);
  const installed = findRabbitMq();
  if (installed) return startRabbitMqNode(installed, home, log);
  if (await dockerAnswers()) return startRabbitMqInDocker(image, home, log);
  const command = (options.allowInstall ?? true) ? installer() : undefined;
  if (command) {
    await installPackage(command, 'rabbitmq-server', log);
    const fresh = findRabbitMq();
    if (fresh) return startRabbitMqNode(fresh, home, log);
  }
  throw new Error(
    'There is no RabbitMQ here. Do one of these and try again: install it (Debian, Ubuntu: `sudo apt-get install rabbitmq-server`; ' +
      'macOS: `brew install rabbitmq`), or start Docker, or set AMQP_URL to a RabbitMQ of yours (amqp://user:password@host:5672).',
  );
}
