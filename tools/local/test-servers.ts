/**
 * Runs Postgres and RabbitMQ for one `npm test` in a separate process. When the test command ends, its channel closes
 * and the servers are stopped.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { eachService } from '@pay/contracts';
import { lockHolder, lockStateDir, startPostgres, startRabbitMq } from '@pay/local-servers';
import { definitionsOf } from '@pay/messaging';
import { startContainers } from '@pay/testing/containers';
import { messageOf } from './message-of';
import { serverVersions } from './server-versions';
import { forgetTestRun, makeTestFolder, testFolders } from './test-folders';
import { writePrivately } from './write-privately';

interface Servers {
  readonly postgresUrl: string;
  readonly amqpUrl: string;
  /** Passwords of the service accounts, if they exist. */
  readonly amqpPasswordsFile?: string | undefined;
  readonly sentence: string;
  stop(): Promise<void>;
}

async function main(): Promise<void> {
  process.umask(0o077);
  for (const folder of testFolders()) await sweep(folder);
  const folder = makeTestFolder();
  if (basename(dirname(folder)) === '.run') letPass(dirname(folder));
  letPass(folder);
  const runDir = join(folder, String(process.pid));
  const lock = lockStateDir(runDir, 'A test run');
  mkdirSync(join(runDir, 'tmp'));
  letPass(join(runDir, 'tmp'));
  // The test command handles Ctrl-C and closes the channel after its stages have ended.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const hasEnded = new Promise<void>((resolve) => process.once('disconnect', () => resolve()));

  const servers = await openServers(runDir);
  const { postgresUrl, amqpUrl, amqpPasswordsFile, sentence } = servers;
  const versions = await serverVersions(postgresUrl, amqpUrl);
  process.send?.({ runDir, postgresUrl, amqpUrl, amqpPasswordsFile, sentence, versions });
  await hasEnded;

  await servers.stop();
  lock.release();
  await forgetTestRun(runDir);
}

/** As root, Postgres runs as another user, who must be able to traverse the folder. */
function letPass(folder: string): void {
  chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/** Runs that were killed before they could stop their servers. */
async function sweep(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const runDir = join(folder, name);
    if (!lockHolder(runDir)) await forgetTestRun(runDir);
  }
}

async function openServers(stateDir: string): Promise<Servers> {
  const given = { postgres: process.env['TEST_POSTGRES_URL'], amqp: process.env['TEST_AMQP_URL'] };
  if (given.postgres && given.amqp) {
    const sentence =
      'servers: as TEST_POSTGRES_URL and TEST_AMQP_URL say; the system shares the account of TEST_AMQP_URL';
    return { postgresUrl: given.postgres, amqpUrl: given.amqp, sentence, stop: () => Promise.resolve() };
  }
  if (process.env['TEST_SERVERS'] === 'docker') return openContainers(given, stateDir);
  const [postgres, rabbit] = await Promise.all([
    given.postgres ? undefined : startPostgres({ stateDir, log: console.log }),
    given.amqp ? undefined : startRabbitMq({ stateDir, log: console.log }),
  ]);
  const amqpPasswordsFile =
    rabbit && (await makeAccounts(stateDir, (definitions) => rabbit.importDefinitions(definitions)));
  return {
    postgresUrl: given.postgres ?? postgres?.url ?? '',
    amqpUrl: given.amqp ?? rabbit?.url ?? '',
    amqpPasswordsFile,
    sentence: `servers: ${postgres ? 'embedded Postgres' : 'given Postgres'}, ${rabbit ? 'private RabbitMQ' : 'given RabbitMQ'}`,
    stop: async () => {
      await Promise.all([postgres?.stop(), rabbit?.stop()]);
    },
  };
}

/** Accounts for the services of the system under test. Specs of single services use the administrator. */
async function makeAccounts(stateDir: string, give: (definitions: object) => Promise<void>): Promise<string> {
  const passwords = eachService(() => randomBytes(16).toString('hex'));
  await give(definitionsOf({ namespace: '', vhost: '/', passwords }));
  const file = join(stateDir, 'amqp-passwords.json');
  writePrivately(file, passwords);
  return file;
}

async function openContainers(
  given: { postgres: string | undefined; amqp: string | undefined },
  stateDir: string,
): Promise<Servers> {
  const images = {
    postgres: process.env['TEST_POSTGRES_IMAGE'] ?? 'postgres:17',
    rabbitmq: process.env['TEST_RABBITMQ_IMAGE'] ?? 'rabbitmq:4-management',
  };
  const containers = await startContainers(images);
  const amqpPasswordsFile = given.amqp
    ? undefined
    : await makeAccounts(stateDir, (definitions) => containers.importDefinitions(definitions));
  return {
    postgresUrl: given.postgres ?? containers.postgresUrl,
    amqpUrl: given.amqp ?? containers.amqpUrl,
    amqpPasswordsFile,
    sentence: `servers: containers of ${images.postgres} and ${images.rabbitmq}`,
    stop: () => containers.stop(),
  };
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
