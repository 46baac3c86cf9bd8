import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endChild, openProgram, openService, Opened, withOpened } from './opened';

describe('what a benchmark has opened', () => {
  it('is closed once, the newest first, also what a part of the benchmark left open', async () => {
    const opened = new Opened();
    const closed: string[] = [];
    const open = (owner: Opened, name: string) =>
      owner.open(
        () => name,
        (it) => closed.push(it),
      );
    await open(opened, 'database');
    const part = await opened.part();
    await open(part, 'queues');
    await withOpened(opened, (ended) => open(ended, 'floor'));
    await open(part, 'process');

    await Promise.all([opened.close(), part.close()]);

    expect(closed).toEqual(['floor', 'process', 'queues', 'database']);
  });

  it('is closed although opening it continues while the benchmark is stopped, and nothing is opened afterwards', async () => {
    const opened = new Opened();
    const close = jest.fn();
    let finish: (name: string) => void = () => undefined;
    const created = new Promise<string>((resolve) => (finish = resolve));
    void opened.open(() => created, close);

    const closing = opened.close();
    await expect(opened.open(() => 'late', close)).rejects.toThrow('The benchmark ends.');
    finish('database');
    await closing;

    expect(close.mock.calls).toEqual([['database']]);
  });

  it('is closed although a newer part cannot be closed or was not opened, and the error is reported', async () => {
    const opened = new Opened();
    const close = jest.fn();
    await opened.open(() => 'database', close);
    await opened.open(
      () => 'queues',
      () => Promise.reject(new Error('The broker is away.')),
    );
    await expect(opened.open(() => Promise.reject(new Error('No port.')), close)).rejects.toThrow('No port.');

    await expect(opened.close()).rejects.toThrow('The broker is away.');

    expect(close.mock.calls).toEqual([['database']]);
  });
});

describe('a process of a benchmark', () => {
  it('gets a channel that ends with the benchmark, and is ended with what it has opened', async () => {
    const opened = new Opened();
    const program = `process.once('disconnect', () => process.exit(7)); console.log('ready')`;
    const [left, ended] = [await openProgram(opened, ['-e', program]), await openProgram(opened, ['-e', program])];
    await Promise.all([once(left.output, 'data'), once(ended.output, 'data')]);

    left.child.disconnect();
    await once(left.child, 'exit');
    await opened.close();

    expect([left.child.exitCode, ended.child.signalCode]).toEqual([7, 'SIGTERM']);
  });

  it('gets SIGTERM at the end of the benchmark if it is a service, and may end before', async () => {
    const opened = new Opened();
    const folder = mkdtempSync(join(tmpdir(), 'service-'));
    const logFile = join(folder, 'log');
    const program = `
      process.once('SIGTERM', () => { console.log('stopped'); process.exit(7); });
      setInterval(() => {}, 1e6);
      fs.writeSync(1, 'ready ')`;
    const [service, migration] = [
      await openService(opened, ['-e', program], process.env, logFile),
      await openService(opened, ['-e', ''], process.env, logFile),
    ];
    await once(migration, 'exit');
    while (!readFileSync(logFile, 'utf8').includes('ready')) await new Promise(setImmediate);

    service.disconnect();
    await once(service, 'exit');
    const log = readFileSync(logFile, 'utf8');
    rmSync(folder, { recursive: true });

    expect([migration.exitCode, service.exitCode, log]).toEqual([0, 7, 'ready stopped\n']);
  });

  it('ends although it is paused, and may have ended before', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log("ready")']);
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');

    await endChild(child);
    await endChild(child);

    expect(child.signalCode).toBe('SIGTERM');
  });
});
