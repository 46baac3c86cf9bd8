import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port';
import { initialisePostgres, runAs, SUPERUSER, type PostgresInstance } from './initialise-postgres';
import type { Log } from './log';
import { postgresBinaries } from './postgres-binaries';
import { postgresHome } from './postgres-home';
import { withPrivateUmask } from './private-files';
import { endProcess, endProcessOf } from './processes';
import { tailOf } from './tail-of';
import { unprivilegedUser } from './unprivileged-user';
import { withClient } from './with-client';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
/** Logged while a process of a killed server has not ended yet, which takes some time on a busy machine. */
const MEMORY_IN_USE = 'pre-existing shared memory block';

/**
 * Durability settings are never relaxed, not even in tests: an acknowledged COMMIT is on disk. Errors are logged
 * without DETAIL, because it quotes rows with phone numbers and SMS texts.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '200',
  // An eighth of the memory of the machine. A million payments with their indexes fit into it on common machines.
  shared_buffers: `${Math.min(1024, Math.floor(totalmem() / 2 ** 23))}MB`,
  effective_cache_size: '1GB',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '10min',
  autovacuum_naptime: '15s',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse',
  password_encryption: 'scram-sha-256',
};

export interface PostgresOptions {
  /** Contains all files of the server, unless its user cannot reach it. They are kept when the server stops. */
  readonly stateDir: string;
  readonly port?: number;
  /** Server settings that replace or extend the built-in ones. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: Log;
}

export interface LocalPostgres {
  /** Superuser URL of the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Folder of the Unix socket, which costs about half as much as loopback; undefined if its path would be too long. */
  readonly socketFolder: string | undefined;
  readonly pid: number;
  readonly logFile: string;
  /** Ends sessions, writes a checkpoint and stops. */
  stop(): Promise<void>;
  /** Sends SIGKILL, like a power failure. */
  kill(): Promise<void>;
  /**
   * Stops without a checkpoint (`immediate`, recovery from WAL follows) or with one (`fast`), then starts on the same
   * port.
   */
  restart(mode?: 'immediate' | 'fast'): Promise<void>;
}

export async function startPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  const user = unprivilegedUser();
  const home = postgresHome(options.stateDir, user);
  const instance: PostgresInstance = {
    home,
    user,
    data: join(home, 'data'),
    binaries: postgresBinaries(home, user),
    password: keptPassword(home),
    logFile: join(home, 'postgres.log'),
  };
  refuseForeignData(instance);
  await endLeftOver(instance, options.log);
  const isNew = !existsSync(instance.data);
  if (isNew) initialisePostgres(instance, options.log);
  const port = await freePort(options.port ?? keptPort(home));
  writeFileSync(join(home, 'port'), String(port), { mode: 0o600 });
  const settings = { ...SETTINGS, ...options.settings };
  const url = `postgres://${SUPERUSER}:${instance.password}@127.0.0.1:${port}/postgres`;

  let child = await launch(instance, port, settings, url);
  if (isNew) await closeMaintenanceDatabases(url);
  const end = async (signal: NodeJS.Signals) => {
    const pid = pidOf(child);
    await endProcess(pid, signal, STOP_TIMEOUT_MS);
  };
  return {
    url,
    port,
    socketFolder: socketFolder(instance),
    logFile: instance.logFile,
    get pid() {
      return pidOf(child);
    },
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    restart: async (mode = 'immediate') => {
      await end(mode === 'immediate' ? 'SIGQUIT' : 'SIGINT');
      child = await launch(instance, port, settings, url);
    },
  };
}

/**
 * The data folder, which only the server can access. The path of a socket has at most 108 bytes, and its name is
 * `.s.PGSQL.` with a port.
 */
function socketFolder({ data }: PostgresInstance): string | undefined {
  return Buffer.byteLength(join(data, '.s.PGSQL.65535')) < 108 ? data : undefined;
}

function keptPassword(home: string): string {
  const path = join(home, 'superuser-password');
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}

function keptPort(home: string): number | undefined {
  const path = join(home, 'port');
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) || undefined : undefined;
}

function refuseForeignData({ data, binaries, user }: PostgresInstance): void {
  if (!existsSync(data)) return;
  const owner = statSync(data).uid;
  const wanted = user?.uid ?? process.getuid?.();
  if (wanted !== undefined && owner !== wanted) {
    throw new Error(
      `${data} belongs to another user (uid ${owner}): start as that user, or delete the data with \`npm run clean\`.`,
    );
  }
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  const program = spawnSync(join(binaries, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  // `postgres (PostgreSQL) 18.4`
  const major = /\) (\d+)/.exec(program)?.[1];
  if (major !== undefined && version !== major) {
    throw new Error(
      `${data} was written by Postgres ${version}, and this is Postgres ${major}: delete it with \`npm run clean\`.`,
    );
  }
}

/** If its starter was killed, the old server still runs and holds the data folder, so it is stopped first. */
async function endLeftOver({ data }: PostgresInstance, log: Log): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  await endProcessOf({ path: pidFile, mark: `-D ${data} ` }, 'SIGINT', STOP_TIMEOUT_MS, (pid) =>
    log(`Ending a Postgres that an earlier run left behind (process ${pid})`),
  );
  rmSync(pidFile, { force: true });
}

async function launch(
  instance: PostgresInstance,
  port: number,
  settings: Readonly<Record<string, string>>,
  url: string,
): Promise<ChildProcess> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const where = [
    '-D',
    instance.data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${socketFolder(instance) ?? ''}`,
    '-c',
    'unix_socket_permissions=0700',
  ];
  let failure: Error | undefined;
  let loggedBefore = 0;
  const begin = (): ChildProcess => {
    const output = openSync(instance.logFile, 'a', 0o600);
    loggedBefore = fstatSync(output).size;
    // A separate session: Ctrl-C must reach only the starter, which stops processes in order.
    const begun = withPrivateUmask(() =>
      spawn(join(instance.binaries, 'bin', 'postgres'), [...where, ...flags], {
        ...runAs(instance.user),
        cwd: instance.home,
        detached: true,
        stdio: ['ignore', output, output],
        env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
      }),
    );
    closeSync(output);
    begun.once('error', (error) => (failure = error));
    return begun;
  };
  let child = begin();
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(url))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const isRefused = () => readFileSync(instance.logFile).subarray(loggedBefore).includes(MEMORY_IN_USE);
    if (hasEnded && Date.now() <= deadline && isRefused()) {
      child = begin();
    } else if (failure || hasEnded) {
      throw new Error(`Postgres did not start: ${failure?.message ?? ''}\n${tailOf(instance.logFile)}`);
    }
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      throw new Error(`Postgres was not ready after ${START_TIMEOUT_MS / 1000} seconds:\n${tailOf(instance.logFile)}`);
    }
    await delay(25);
  }
  return child;
}

async function answers(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query('select 1'), 2_000).then(
    () => true,
    () => false,
  );
}

/** Roles of services may not connect to the default databases. */
async function closeMaintenanceDatabases(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query('revoke connect, temporary on database postgres, template1 from public'),
  );
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('Postgres has no process number: it did not start.');
  return child.pid;
}
