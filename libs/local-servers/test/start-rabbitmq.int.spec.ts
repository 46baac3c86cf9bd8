import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, startRabbitMq, type LocalRabbitMq } from '../src';

describe('a private RabbitMQ', () => {
  // A path with a space, as in many home folders, which RabbitMQ's start scripts must support.
  const stateDir = join(mkdtempSync(join(tmpdir(), 'local-rabbitmq-')), 'my state');
  let rabbit: LocalRabbitMq;

  beforeAll(async () => {
    rabbit = await startRabbitMq({ stateDir, log: () => undefined });
  }, 120_000);

  afterAll(async () => {
    await rabbit.stop();
    rmSync(join(stateDir, '..'), { recursive: true, force: true });
  });

  it('answers rabbitmqctl, has its user and no guest', async () => {
    const users = await rabbit.ctl('list_users');

    expect(users).toContain('gateway');
    expect(users).not.toContain('guest');
  });

  it('listens only on loopback, with all of its ports', async () => {
    const listeners = await rabbit.ctl('eval', 'rabbit_networking:active_listeners().');

    expect(listeners).toContain('{127,0,0,1}');
    expect(foreignListeners(rabbit.pid)).toEqual([]);
  });

  it('keeps users and settings when it is killed and restarted on the same port', async () => {
    await rabbit.ctl('add_vhost', 'kept');
    const { pid, port } = rabbit;

    await rabbit.kill();
    expect(isAlive(pid)).toBe(false);
    await rabbit.restart();

    expect(rabbit.port).toBe(port);
    expect(await rabbit.ctl('list_vhosts')).toContain('kept');
  }, 120_000);

  it('leaves no process when it stops, and starts again with its data', async () => {
    const { url } = rabbit;

    await rabbit.stop();

    expect(processesOf(stateDir)).toEqual([]);
    rabbit = await startRabbitMq({ stateDir, log: () => undefined });
    expect(rabbit.url).toBe(url);
    expect(await rabbit.ctl('list_vhosts')).toContain('kept');
  }, 120_000);
});

/** Processes with this folder as HOME: the broker, the port mapper and their child processes. */
function processesOf(folder: string): string[] {
  const pids = execFileSync('ps', ['-eo', 'pid='], { encoding: 'utf8' }).split('\n');
  return pids.filter((pid) => environment(pid.trim()).includes(`HOME=${folder}`));
}

function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Sockets of a process that listen on other addresses than loopback: local addresses of /proc/net/tcp{,6} in state 0A.
 */
function foreignListeners(pid: number): string[] {
  const inodes = execFileSync('ls', ['-l', `/proc/${pid}/fd`], { encoding: 'utf8' });
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n').slice(1));
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A' && inodes.includes(`socket:[${fields[9] ?? ''}]`))
    .map((fields) => fields[1] ?? '')
    .filter((address) => !address.startsWith('0100007F:'));
}
