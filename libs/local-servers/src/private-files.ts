import { chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
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

/** Changes the owner of a folder and everything in it, except symbolic links. */
export function giveTo(user: SystemUser, folder: string): void {
  chownSync(folder, user.uid, user.gid);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) giveTo(user, path);
    else if (!stat.isSymbolicLink()) chownSync(path, user.uid, user.gid);
  }
}
