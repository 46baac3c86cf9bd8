import { chownSync, statSync } from 'node:fs';
import { appendFile, chmod, chown, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from '@pay/testing';
import pg from 'pg';

/** A data folder and its owner. The server may run as another user than this process. */
export interface DataFolder {
  readonly path: string;
  readonly uid: number;
  readonly gid: number;
}

export interface WalArchive {
  readonly folder: string;
  readonly data: DataFolder;
}

export interface BaseBackup {
  readonly folder: string;
  readonly bytes: number;
}

/** Postgres creates these contents at its start; postgresql.org, "Making a Base Backup Using the Low Level API". */
const WITHOUT_CONTENTS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts']);

/**
 * Archives finished WAL files beside the data folder. An unfinished one is finished after `everySeconds`; requires
 * `archive_mode = on`.
 */
export async function archiveWal(url: string, everySeconds: number): Promise<WalArchive> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ path: string }>(`select current_setting('data_directory') as path`);
    const path = rows[0]?.path ?? '';
    const { uid, gid } = statSync(path);
    const folder = join(dirname(path), 'archive');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, uid, gid);
    const file = `"${folder}/%f"`;
    const command = `test ! -f ${file} && cp "%p" "${folder}/%f.part" && mv "${folder}/%f.part" ${file}`;
    await client.query(`alter system set archive_command = ${pg.escapeLiteral(command)}`);
    await client.query(`alter system set archive_timeout = ${everySeconds}`);
    await client.query('select pg_reload_conf()');
    return { folder, data: { path, uid, gid } };
  });
}

/** The server keeps running during the copy. */
export async function takeBaseBackup(url: string, { data }: WalArchive): Promise<BaseBackup> {
  const folder = join(dirname(data.path), 'base-backup');
  return withClient(url, async (client) => {
    await client.query(`select pg_backup_start('base', fast => true)`);
    const bytes = await copyTree(data.path, folder, data, isBackedUp);
    const { rows } = await client.query<{ labelfile: string; spcmapfile: string }>(
      'select labelfile, spcmapfile from pg_backup_stop(wait_for_archive => true)',
    );
    await writeOwned(join(folder, 'backup_label'), rows[0]?.labelfile ?? '', data);
    if (rows[0]?.spcmapfile) await writeOwned(join(folder, 'tablespace_map'), rows[0].spcmapfile, data);
    return { folder, bytes };
  });
}

/** Resolves when everything that is committed now is in the archive. */
export async function archived(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_current_wal_lsn()) as file');
    const file = rows[0]?.file ?? '';
    await eventually(
      async () => {
        const text = 'select last_archived_wal >= $1 as is_there from pg_stat_archiver';
        return (await client.query<{ is_there: boolean }>(text, [file])).rows[0]?.is_there === true;
      },
      `${file} is archived`,
      { timeoutMs: 120_000 },
    );
  });
}

/**
 * Replaces the data folder by the backup. At its next start the server replays the archive up to `pointInTime` and
 * becomes writable.
 */
export async function restoreBackup(backup: BaseBackup, archive: WalArchive, pointInTime: Date): Promise<void> {
  const { data, folder } = archive;
  await rm(data.path, { recursive: true, force: true });
  await copyTree(backup.folder, data.path, data, () => true);
  const settings = [
    `restore_command = 'cp "${folder}/%f" "%p"'`,
    // At this point the server does not know names of time zones, not even Z.
    `recovery_target_time = '${pointInTime.toISOString().replace('Z', '+00')}'`,
    `recovery_target_action = 'promote'`,
  ];
  await appendFile(join(data.path, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  await writeOwned(join(data.path, 'recovery.signal'), '', data);
}

/** Resolves when the server has replayed the archive and accepts writes. */
export async function recovered(url: string): Promise<void> {
  await withClient(url, (client) =>
    eventually(
      async () =>
        (await client.query<{ is_done: boolean }>('select not pg_is_in_recovery() as is_done')).rows[0]?.is_done,
      'Postgres accepts writes',
      { timeoutMs: 300_000 },
    ),
  );
}

/** When the newest file of the archive was finished. Later commits are lost with the data folder. */
export async function newestArchived(archive: WalArchive): Promise<Date> {
  const names = (await readdir(archive.folder)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
  return (await stat(join(archive.folder, names.at(-1) ?? ''))).mtime;
}

function isBackedUp(name: string, parent: string): boolean {
  return !LEFT_OUT.has(name) && !WITHOUT_CONTENTS.has(parent);
}

/**
 * Returns the number of bytes. Skips sockets and files that are deleted during the copy, whose WAL is in the archive.
 */
async function copyTree(
  from: string,
  to: string,
  owner: DataFolder,
  isWanted: (name: string, parent: string) => boolean,
  parent = '',
): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await chown(to, owner.uid, owner.gid);
  let bytes = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isWanted(entry.name, parent)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) bytes += await copyTree(source, target, owner, isWanted, entry.name);
    else if (entry.isFile()) bytes += await copyOne(source, target, owner);
  }
  return bytes;
}

async function copyOne(source: string, target: string, { uid, gid }: DataFolder): Promise<number> {
  try {
    await copyFile(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  await chown(target, uid, gid);
  await chmod(target, 0o600);
  return (await stat(target)).size;
}

async function writeOwned(path: string, text: string, { uid, gid }: DataFolder): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chown(path, uid, gid);
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // The drill kills the server, which ends this connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
