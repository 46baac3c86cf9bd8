import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './processes';
import type { SystemUser } from './unprivileged-user';

const OTHERS = 0o077;

/** Runs `work`; files that it creates, or that a process started by it creates, are closed to group and others. */
export function withPrivateUmask<T>(work: () => T): T {
  const before = process.umask(OTHERS);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

/**
 * Closes everything below a folder to group and others, whoever owns it. Links are left alone; what vanishes meanwhile
 * is passed over.
 */
export function closeToOthers(folder: string): void {
  forEachBelow(folder, (path, mode) => {
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7700);
  });
}

/** Gives a folder and everything below it to a user. */
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
