import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Postgres refuses to run as root, so user `postgres` if it exists, else `nobody`. Undefined if the current user is not
 * root.
 */
export function unprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = systemUsers();
  const user = users.get('postgres') ?? users.get('nobody');
  if (!user) {
    throw new Error(
      'Postgres cannot run as root, and there is neither a user `postgres` nor a user `nobody`: set DATABASE_URL.',
    );
  }
  return user;
}

function systemUsers(): Map<string, SystemUser> {
  const users = new Map<string, SystemUser>();
  // One line: `postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash`
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid) users.set(name, { name, uid: Number(uid), gid: Number(gid) });
  }
  return users;
}

export function canReach(user: SystemUser, path: string): boolean {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    if (!hasMode(user, dir, 0o1)) return false;
    if (dir === dirname(dir)) return true;
  }
}

/** Whether the user has these permission bits (4 read, 2 write, 1 execute) on the file or folder itself. */
export function hasMode(user: SystemUser, path: string, bits: number): boolean {
  let stat;
  try {
    stat = statSync(path);
  } catch {
    return false;
  }
  const shift = stat.uid === user.uid ? 6 : stat.gid === user.gid ? 3 : 0;
  return ((stat.mode >> shift) & bits) === bits;
}
