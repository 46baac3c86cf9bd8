import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sharedCores } from './broker-schedulers';
import { findEpmd } from './find-epmd';
import { freePort } from './free-port';
import type { LocalRabbitMq } from './local-rabbitmq';
import type { Log } from './log';
import { withPrivateUmask } from './private-files';
import { endProcess, endProcessOf, isGone } from './processes';
import { outputOf } from './run-program';
import { speaksAmqp } from './speaks-amqp';
import { tailOf } from './tail-of';

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 30_000;

/** Must not change between runs: the data folder is named after the node and contains the user. */
interface Identity {
  readonly nodeName: string;
  readonly user: string;
  readonly password: string;
  readonly port?: number;
}

/** Runs a private RabbitMQ node from its start scripts as the current user, beside any other node of this machine. */
export async function startRabbitMqNode(scripts: string, home: string, log: Log): Promise<LocalRabbitMq> {
  const identity = keptIdentity(home);
  const logFile = join(home, 'rabbitmq.log');
  const pidFile = join(home, 'pid');
  await endLeftOvers(home, log);
  const port = await freePort(identity.port);
  const distributionPort = await otherFreePort(port);
  const epmdPort = await otherFreePort(port, distributionPort);
  writeFileSync(join(home, 'identity.json'), JSON.stringify({ ...identity, port }), { mode: 0o600 });
  writeConfiguration(home, identity, port);
  const env = nodeEnvironment(home, identity.nodeName, { distributionPort, epmdPort });

  const epmd = startEpmd(home, epmdPort, env);
  const launch = () => launchBroker(scripts, { env, home, logFile, pidFile, port });
  let broker: Broker;
  try {
    broker = await launch();
  } catch (error) {
    await endLeftOvers(home, () => undefined);
    throw error;
  }
  const end = async (signal: NodeJS.Signals) => {
    await endProcess(broker.pid, signal, STOP_TIMEOUT_MS);
    if (!(await isGone(broker.scriptPid, 5_000))) await endProcess(broker.scriptPid, 'SIGKILL', 0);
  };
  return {
    url: `amqp://${identity.user}:${identity.password}@127.0.0.1:${port}`,
    port,
    logFile,
    get pid() {
      return broker.pid;
    },
    stop: async () => {
      await end('SIGTERM');
      await endProcess(epmd, 'SIGTERM', 2_000);
      rmSync(pidFile, { force: true });
      rmSync(join(home, 'epmd.pid'), { force: true });
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      broker = await launch();
    },
    ctl: async (...args) => {
      const { stdout } = await promisify(execFile)(join(scripts, 'rabbitmqctl'), ['--quiet', ...args], { env });
      return stdout;
    },
    importDefinitions: async (definitions) => {
      const args = ['--quiet', 'import_definitions', '--format', 'json'];
      await outputOf(join(scripts, 'rabbitmqctl'), args, { input: JSON.stringify(definitions), env });
    },
  };
}

function keptIdentity(home: string): Identity {
  const path = join(home, 'identity.json');
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Identity;
  const nodeName = `pay-${randomBytes(4).toString('hex')}@localhost`;
  return { nodeName, user: 'gateway', password: randomBytes(24).toString('hex') };
}

function writeConfiguration(home: string, { user, password }: Identity, port: number): void {
  const settings = [
    `listeners.tcp.local = 127.0.0.1:${port}`,
    `default_user = ${user}`,
    `default_pass = ${password}`,
    'log.console = true',
    'log.console.level = info',
    'log.file = false',
    // Quorum queues keep this much of their log in memory before they write it to disk.
    'raft.wal_max_size_bytes = 67108864',
  ];
  writeFileSync(join(home, 'rabbitmq.conf'), `${settings.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(join(home, 'enabled_plugins'), '[].\n', { mode: 0o600 });
  const cookie = join(home, '.erlang.cookie');
  if (!existsSync(cookie)) writeFileSync(cookie, randomBytes(24).toString('hex'), { mode: 0o400 });
  chmodSync(cookie, 0o400);
  mkdirSync(join(home, 'mnesia'), { recursive: true, mode: 0o700 });
}

function nodeEnvironment(
  home: string,
  nodeName: string,
  ports: { distributionPort: number; epmdPort: number },
): Record<string, string> {
  const { bindType, erlangArguments } = sharedCores();
  return {
    PATH: `${process.env['PATH'] ?? ''}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    LANG: 'C.UTF-8',
    ERL_EPMD_PORT: String(ports.epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: nodeName,
    RABBITMQ_MNESIA_BASE: join(home, 'mnesia'),
    RABBITMQ_LOG_BASE: join(home, 'log'),
    RABBITMQ_DIST_PORT: String(ports.distributionPort),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'enabled_plugins'),
    RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq'),
    RABBITMQ_PID_FILE: join(home, 'pid'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_SCHEDULER_BIND_TYPE: bindType,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `${erlangArguments} -kernel inet_dist_use_interface {127,0,0,1}`,
  };
}

/** Runs epmd in the foreground as a child process. Erlang would otherwise start a daemon that nothing stops. */
function startEpmd(home: string, port: number, env: Record<string, string>): number {
  const child = spawn(findEpmd(), ['-port', String(port), '-address', '127.0.0.1'], {
    env,
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  if (child.pid === undefined) throw new Error('epmd, a part of Erlang, does not start.');
  writeFileSync(join(home, 'epmd.pid'), String(child.pid), { mode: 0o600 });
  return child.pid;
}

interface BrokerPlace {
  readonly env: Record<string, string>;
  readonly home: string;
  readonly logFile: string;
  readonly pidFile: string;
  readonly port: number;
}

interface Broker {
  readonly pid: number;
  readonly scriptPid: number;
}

async function launchBroker(scripts: string, { env, home, logFile, pidFile, port }: BrokerPlace): Promise<Broker> {
  rmSync(pidFile, { force: true });
  const output = openSync(logFile, 'a', 0o600);
  // A separate session: Ctrl-C must reach only the starter, which stops processes in order.
  const script = withPrivateUmask(() =>
    spawn(join(scripts, 'rabbitmq-server'), [], { env, cwd: home, detached: true, stdio: ['ignore', output, output] }),
  );
  closeSync(output);
  let failure: Error | undefined;
  script.once('error', (error) => (failure = error));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await speaksAmqp(port))) {
    if (failure || script.exitCode !== null || script.signalCode !== null) {
      throw new Error(`RabbitMQ did not start: ${failure?.message ?? ''}\n${tailOf(logFile, 20)}`);
    }
    if (Date.now() > deadline) {
      script.kill('SIGTERM');
      throw new Error(`RabbitMQ was not ready after ${START_TIMEOUT_MS / 1000} seconds:\n${tailOf(logFile)}`);
    }
    await delay(50);
  }
  return { pid: Number(readFileSync(pidFile, 'utf8')), scriptPid: script.pid ?? 0 };
}

/** If its starter was killed, the node still runs, and so does its epmd. */
async function endLeftOvers(home: string, log: Log): Promise<void> {
  for (const [file, mark] of Object.entries({ pid: home, 'epmd.pid': 'epmd' })) {
    const path = join(home, file);
    await endProcessOf({ path, mark }, 'SIGTERM', STOP_TIMEOUT_MS, (pid) =>
      log(`Ending a RabbitMQ process that an earlier run left behind (${pid})`),
    );
    rmSync(path, { force: true });
  }
}

/** Nothing listens on the ports that were found before. */
async function otherFreePort(...found: readonly number[]): Promise<number> {
  let port = await freePort();
  while (found.includes(port)) port = await freePort();
  return port;
}
