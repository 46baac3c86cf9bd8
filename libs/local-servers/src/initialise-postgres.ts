import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log';
import type { SystemUser } from './unprivileged-user';

export const SUPERUSER = 'postgres';

export interface PostgresInstance {
  readonly home: string;
  readonly data: string;
  readonly binaries: string;
  readonly user: SystemUser | undefined;
  readonly password: string;
  readonly logFile: string;
}

/** Created beside its final path and renamed, so that an interrupted run leaves no partial data folder. */
export function initialisePostgres({ home, data, binaries, user, password }: PostgresInstance, log: Log): void {
  log('Creating a new Postgres data folder');
  const draft = `${data}.draft`;
  const passwordFile = join(home, 'initial-password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  try {
    if (user) {
      chownSync(passwordFile, user.uid, user.gid);
      makeOwned(draft, user);
    }
    const flags = [
      '--encoding=UTF8',
      '--locale=C',
      '--auth=scram-sha-256',
      `--username=${SUPERUSER}`,
      '--no-instructions',
    ];
    const made = spawnSync(join(binaries, 'bin', 'initdb'), ['-D', draft, `--pwfile=${passwordFile}`, ...flags], {
      ...runAs(user),
      cwd: home,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    });
    if (made.status !== 0) {
      throw new Error(`initdb could not create ${draft}: ${made.error?.message ?? made.stderr.trim()}`);
    }
    renameSync(draft, data);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

export function runAs(user: SystemUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

function makeOwned(folder: string, user: SystemUser): void {
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, user.uid, user.gid);
}
