import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess, identifyProcess, isSameProcess, lockHolder, lockStateDir } from '../src';

describe('the lock of a state folder', () => {
  let stateDir: string;

  beforeEach(() => {
    stateDir = mkdtempSync(join(tmpdir(), 'lock-'));
  });

  afterEach(() => {
    rmSync(stateDir, { recursive: true, force: true });
  });

  it('is refused with a message that names the running holder', () => {
    lockStateDir(stateDir, 'The gateway');

    expect(() => lockStateDir(stateDir, 'Another one')).toThrow(
      `The gateway is already running in ${stateDir} (process ${process.pid}): stop it first, or use the running one.`,
    );
  });

  it('is free again after release', () => {
    lockStateDir(stateDir, 'The gateway').release();

    expect(lockHolder(stateDir)).toBeUndefined();
    expect(lockStateDir(stateDir, 'Another one')).toBeDefined();
  });

  it('is replaced if its process has died', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const identity = identifyProcess(child.pid ?? 0);
    writeFileSync(join(stateDir, 'lock'), JSON.stringify({ purpose: 'The gateway', ...identity }));
    expect(lockHolder(stateDir)?.pid).toBe(child.pid);

    await endProcess(child.pid ?? 0, 'SIGKILL', 1_000);

    expect(lockHolder(stateDir)).toBeUndefined();
    expect(lockStateDir(stateDir, 'Another one')).toBeDefined();
  });

  it('is replaced if its process id belongs to another process now', () => {
    const lock = { purpose: 'The gateway', pid: process.pid, startedAt: 'long ago' };
    writeFileSync(join(stateDir, 'lock'), JSON.stringify(lock));

    lockStateDir(stateDir, 'Another one');

    expect(lockHolder(stateDir)?.purpose).toBe('Another one');
  });

  it('is replaced if it cannot be read, as after a full disk', () => {
    writeFileSync(join(stateDir, 'lock'), '');

    expect(lockStateDir(stateDir, 'Another one')).toBeDefined();
  });

  it('is not removed from its new holder when an old holder releases it', () => {
    const old = lockStateDir(stateDir, 'The gateway');
    rmSync(join(stateDir, 'lock'));
    lockStateDir(stateDir, 'Another one');

    old.release();

    expect(existsSync(join(stateDir, 'lock'))).toBe(true);
  });
});

describe('the identity of a process', () => {
  it('consists of its id and start time', () => {
    const identity = identifyProcess(process.pid);

    expect(identity?.pid).toBe(process.pid);
    expect(identity && isSameProcess(identity)).toBe(true);
    expect(isSameProcess({ pid: process.pid, startedAt: 'another time' })).toBe(false);
  });

  it('is undefined if no process has the id', () => {
    expect(identifyProcess(2 ** 22 + 1)).toBeUndefined();
  });
});
