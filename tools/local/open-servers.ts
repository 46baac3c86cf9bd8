import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachService, type ServiceName } from '@pay/contracts';
import { startPostgres, startRabbitMq, type LocalPostgres, type LocalRabbitMq } from '@pay/local-servers';
import { declareTopology, definitionsOf, namesIn } from '@pay/messaging';
import type { ProgressPrinter } from './progress-printer';
import { writePrivately } from './write-privately';

const PREFIX = 'payment_gateway';
/** Default databases of every server. A URL with one of these names sets no prefix. */
const MAINTENANCE = ['', 'postgres', 'template1'];

export interface OpenPostgres {
  readonly superuserUrl: string;
  /** Prefix of the service databases. */
  readonly prefix: string;
  /** Folder of the Unix socket. Only if this process has started the server and it has one. */
  readonly socketFolder: string | undefined;
}

export interface ServersOptions {
  readonly runDir: string;
  readonly progress: ProgressPrinter;
  readonly env: NodeJS.ProcessEnv;
  /** Called as soon as a server runs, with the function that stops it. */
  readonly onOpen: (stop: () => Promise<void>) => void;
}

/** Uses the Postgres of DATABASE_URL, else an embedded one. */
export async function openPostgres(options: ServersOptions): Promise<OpenPostgres> {
  const { url: superuserUrl, socketFolder } = await postgres(options);
  return { superuserUrl, socketFolder, prefix: prefixOf(superuserUrl) };
}

/** The database name in the URL, if it is not a default one. */
export function prefixOf(superuserUrl: string): string {
  const named = decodeURIComponent(new URL(superuserUrl).pathname.slice(1));
  return MAINTENANCE.includes(named) ? PREFIX : named;
}

type Reached = Pick<LocalPostgres, 'url' | 'socketFolder'>;

async function postgres({ runDir, progress, env, onOpen }: ServersOptions): Promise<Reached> {
  const given = env['DATABASE_URL'];
  if (given) {
    progress.say('Postgres: using DATABASE_URL');
    return { url: given, socketFolder: undefined };
  }
  const log = (sentence: string) => progress.say(sentence);
  const server = await progress.step('Embedded Postgres is running', () => startPostgres({ stateDir: runDir, log }));
  onOpen(() => server.stop());
  return server;
}

export interface OpenRabbitMq {
  /** URL of the administrator. */
  readonly amqpUrl: string;
  readonly amqpUrls: Readonly<Record<ServiceName, string>>;
}

export interface RabbitMqOptions extends ServersOptions {
  /** For the accounts that are created on a private broker. */
  readonly passwords: Readonly<Record<ServiceName, string>>;
}

/** Uses the RabbitMQ of AMQP_URL, else a private one. It has the exchanges and an account per service. */
export async function openRabbitMq(options: RabbitMqOptions): Promise<OpenRabbitMq> {
  const namespace = options.env['AMQP_NAMESPACE'] ?? '';
  const given = options.env['AMQP_URL'];
  const open = given ? givenRabbitMq(given, namespace, options) : await privateRabbitMq(namespace, options);
  await declareTopology({ url: open.amqpUrl, namespace });
  return open;
}

/** AMQP cannot create accounts, so AMQP_PASSWORDS_FILE must contain their passwords: JSON by service name. */
function givenRabbitMq(url: string, namespace: string, { progress, env }: RabbitMqOptions): OpenRabbitMq {
  const file = env['AMQP_PASSWORDS_FILE'];
  if (file) {
    progress.say('RabbitMQ: using AMQP_URL with the accounts of AMQP_PASSWORDS_FILE');
    const passwords = JSON.parse(readFileSync(file, 'utf8')) as Record<ServiceName, string>;
    return { amqpUrl: url, amqpUrls: urlsOf(url, namespace, passwords) };
  }
  progress.say(
    'RabbitMQ: using AMQP_URL. All services share its account and permissions, because accounts cannot be created ' +
      'through AMQP; see docs/messaging-security.md',
  );
  return {
    amqpUrl: url,
    amqpUrls: eachService(() => url),
  };
}

async function privateRabbitMq(namespace: string, options: RabbitMqOptions): Promise<OpenRabbitMq> {
  const { runDir, progress, onOpen, passwords } = options;
  const log = (sentence: string) => progress.say(sentence);
  const rabbit = await progress.step('Private RabbitMQ is running', () => startRabbitMq({ stateDir: runDir, log }));
  onOpen(() => rabbit.stop());
  await importOnce(rabbit, { runDir, namespace, passwords });
  return { amqpUrl: rabbit.url, amqpUrls: urlsOf(rabbit.url, namespace, passwords) };
}

interface Accounts {
  readonly runDir: string;
  readonly namespace: string;
  readonly passwords: RabbitMqOptions['passwords'];
}

/** Skipped if they are unchanged, because the broker keeps its definitions and an import takes seconds. */
async function importOnce(rabbit: LocalRabbitMq, { runDir, namespace, passwords }: Accounts): Promise<void> {
  const definitions = definitionsOf({ namespace, vhost: '/', passwords });
  const unsalted = { ...definitions, users: passwords };
  const version = createHash('sha256').update(JSON.stringify(unsalted)).digest('hex');
  const file = join(runDir, 'rabbitmq', 'accounts.json');
  const imported = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version : '';
  if (imported === version) return;
  await rabbit.importDefinitions(definitions);
  writePrivately(file, { version });
}

/** The URL of each service contains its own account. */
export function urlsOf(
  url: string,
  namespace: string,
  passwords: Readonly<Record<ServiceName, string>>,
): Record<ServiceName, string> {
  const names = namesIn(namespace);
  return eachService((service) => {
    const own = new URL(url);
    own.username = encodeURIComponent(names.user(service));
    own.password = encodeURIComponent(passwords[service]);
    return own.toString();
  });
}
