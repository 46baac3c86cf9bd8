import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, identifyProcess, isSameProcess, type ProcessIdentity } from './processes';

export interface FileLock {
  release(): void;
}

interface LockHolder extends ProcessIdentity {
  readonly purpose: string;
}

/** Locks a state folder for this process. Throws if another running process holds the lock. */
export function lockStateDir(stateDir: string, purpose: string): FileLock {
  const lock = takeLockFile(join(stateDir, 'lock'), purpose);
  if ('release' in lock) return lock;
  throw new Error(
    `${lock.purpose} is already running in ${stateDir} (process ${lock.pid}): stop it first, or use the running one.`,
  );
}

/** Returns the running process that holds the lock, if any. The lock of a process that has died is replaced. */
export function takeLockFile(path: string, purpose: string): FileLock | LockHolder {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const mine = JSON.stringify({ purpose, ...identifyProcess(process.pid) });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    while (!tryLink(draft, path)) {
      const holder = holderOf(path);
      if (holder) return holder;
      removeStale(path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (read(path) === mine) rmSync(path, { force: true });
    },
  };
}

export function lockHolder(stateDir: string): LockHolder | undefined {
  return holderOf(join(stateDir, 'lock'));
}

function holderOf(path: string): LockHolder | undefined {
  const text = read(path);
  if (text === undefined) return undefined;
  const lock = parseLock(text);
  return lock && isSameProcess(lock) ? lock : undefined;
}

/**
 * Renames a stale lock. The renamed file is checked again, because another process may have replaced the lock
 * meanwhile.
 */
function removeStale(path: string): void {
  const stale = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, stale);
  } catch {
    return;
  }
  const lock = parseLock(read(stale) ?? '');
  if (lock && isSameProcess(lock)) tryLink(stale, path);
  rmSync(stale, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function parseLock(text: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('pid' in value) || !('startedAt' in value) || !('purpose' in value)) return undefined;
    const { pid, startedAt, purpose } = value;
    if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof purpose !== 'string') return undefined;
    return { pid, startedAt, purpose };
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
