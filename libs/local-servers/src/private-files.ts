import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './processes';
import type { SystemUser } from './unprivileged-user';

const OTHERS = 0o077;

/** Runs `work`. Files that it or its child processes create are not accessible to group and others. */
export function withPrivateUmask<T>(work: () => T): T {
  const before = process.umask(OTHERS);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

/**
 * Removes access of group and others to everything in a folder, with any owner. Symbolic links and files that disappear
 * meanwhile are skipped.
 */
export function closeToOthers(folder: string): void {
  forEachBelow(folder, (path, mode) => {
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7700);
  });
}

/** Changes the owner of a folder and everything in it. */
export function giveTo({ uid, gid }: SystemUser, folder: string): void {
  chownSync(folder, uid, gid);
  forEachBelow(folder, (path) => chownSync(path, uid, gid));
}

function forEachBelow(folder: string, work: (path: string, mode: number) => void): void {
  for (const name of unlessGone(() => readdirSync(folder)) ?? []) {
    const path = join(folder, name);
    unlessGone(() => {
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) return;
      work(path, stat.mode & 0o7777);
      if (stat.isDirectory()) forEachBelow(path, work);
    });
  }
}

function unlessGone<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
