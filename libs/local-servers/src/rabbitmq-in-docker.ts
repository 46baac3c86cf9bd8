import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sharedCores } from './broker-schedulers';
import { freePort } from './free-port';
import type { LocalRabbitMq } from './local-rabbitmq';
import type { Log } from './log';
import { outputOf } from './run-program';
import { speaksAmqp } from './speaks-amqp';

const IMAGE = 'rabbitmq:4-management';
const START_TIMEOUT_MS = 90_000;

/** Whether a Docker daemon responds. A client without a daemon is not enough. */
export async function dockerAnswers(): Promise<boolean> {
  try {
    await docker('version', '--format', '{{.Server.Version}}');
    return true;
  } catch {
    return false;
  }
}

interface Container {
  readonly name: string;
  readonly port: number;
  readonly password: string;
}

/** Runs RabbitMQ in a container that keeps its data between runs. `npm run clean` removes it. */
export async function startRabbitMqInDocker(home: string, log: Log): Promise<LocalRabbitMq> {
  const file = join(home, 'container.json');
  const container = existsSync(file) ? readContainer(file) : await newContainer(home, log);
  writeFileSync(file, JSON.stringify(container), { mode: 0o600 });
  const { name, port, password } = container;
  const start = async () => {
    await docker('start', name);
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await speaksAmqp(port))) {
      if (Date.now() > deadline) {
        throw new Error(
          `RabbitMQ in Docker was not ready after ${START_TIMEOUT_MS / 1000} seconds: see \`docker logs ${name}\`.`,
        );
      }
      await delay(100);
    }
  };
  await start();
  return {
    url: `amqp://gateway:${password}@127.0.0.1:${port}`,
    port,
    pid: 0,
    logFile: join(home, 'rabbitmq.log'),
    stop: async () => {
      await docker('stop', '--time', '30', name);
    },
    kill: async () => {
      await docker('kill', name);
    },
    restart: async () => {
      await docker('stop', '--time', '30', name);
      await start();
    },
    ctl: (...args) => docker('exec', name, 'rabbitmqctl', '--quiet', ...args),
    importDefinitions: async (definitions) => {
      const args = ['exec', '--interactive', name, 'rabbitmqctl', '--quiet', 'import_definitions', '--format', 'json'];
      await outputOf('docker', args, { input: JSON.stringify(definitions) });
    },
  };
}

async function newContainer(home: string, log: Log): Promise<Container> {
  const name = `payment-gateway-rabbitmq-${createHash('sha256').update(resolve(home)).digest('hex').slice(0, 12)}`;
  const port = await freePort();
  const password = randomBytes(24).toString('hex');
  log(`Creating a RabbitMQ container from ${IMAGE} (Docker downloads the image the first time)`);
  await docker('rm', '--force', '--volumes', name).catch(() => undefined);
  // The data folder is named after the host name, so a new container needs the same one to find it.
  const identity = ['--name', name, '--hostname', 'gateway', '--publish', `127.0.0.1:${port}:5672`];
  const user = ['--env', 'RABBITMQ_DEFAULT_USER=gateway', '--env', `RABBITMQ_DEFAULT_PASS=${password}`];
  const { bindType, erlangArguments } = sharedCores();
  const cores = [`RABBITMQ_SCHEDULER_BIND_TYPE=${bindType}`, `RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=${erlangArguments}`];
  await docker('create', ...identity, ...user, ...cores.flatMap((setting) => ['--env', setting]), IMAGE);
  return { name, port, password };
}

export async function removeRabbitMqContainer(home: string): Promise<void> {
  const file = join(home, 'container.json');
  if (existsSync(file)) await docker('rm', '--force', '--volumes', readContainer(file).name).catch(() => undefined);
}

function readContainer(file: string): Container {
  return JSON.parse(readFileSync(file, 'utf8')) as Container;
}

async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { timeout: 600_000 });
  return stdout;
}
