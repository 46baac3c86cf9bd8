import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startPostgres, type LocalPostgres } from '@pay/local-servers';
import { eventually } from '@pay/testing';
import { Client } from 'pg';

export interface ReplicatedPostgres {
  readonly primary: LocalPostgres;
  /** Follows the primary until it is cut off. */
  readonly standby: LocalPostgres;
  /** From here on the standby does not receive commits, as when asynchronous replication lags before a failure. */
  cutOff(): Promise<void>;
  /** Kills the primary and promotes the standby. */
  failOver(): Promise<void>;
  end(): Promise<void>;
}

const silent = () => undefined;

/** A primary and a standby that streams from it without being waited for, both of this spec's own. */
export async function replicatedPostgres(
  prepare: (primary: LocalPostgres) => Promise<void>,
): Promise<ReplicatedPostgres> {
  const folders = [
    mkdtempSync(join(tmpdir(), 'messaging-primary-')),
    mkdtempSync(join(tmpdir(), 'messaging-standby-')),
  ] as const;
  let primary = await startPostgres({ stateDir: folders[0], log: silent });
  await prepare(primary);
  const standbyBefore = await startPostgres({ stateDir: folders[1], log: silent });
  await standbyBefore.stop();
  await primary.stop();
  const [from, to] = [dirname(primary.logFile), dirname(standbyBefore.logFile)];
  for (const name of ['data', 'superuser-password']) {
    rmSync(join(to, name), { recursive: true });
    // With owners: the server may run as another user than the spec.
    execFileSync('cp', ['-a', join(from, name), join(to, name)]);
  }
  primary = await startPostgres({ stateDir: folders[0], log: silent });
  const { uid, gid } = statSync(join(to, 'data'));
  writeFileSync(join(to, 'data', 'standby.signal'), '');
  chownSync(join(to, 'data', 'standby.signal'), uid, gid);
  appendFileSync(join(to, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`);
  const standby = await startPostgres({ stateDir: folders[1], log: silent });
  await eventually(async () => (await ask(standby, RECEIVERS)).length === 1, 'the standby follows');
  return {
    primary,
    standby,
    async cutOff() {
      await ask(standby, `alter system set primary_conninfo = ''`);
      await ask(standby, 'select pg_reload_conf()');
      await eventually(async () => (await ask(standby, RECEIVERS)).length === 0, 'the standby is cut off');
    },
    async failOver() {
      await primary.kill();
      await ask(standby, 'select pg_promote(true)');
    },
    async end() {
      await standby.stop();
      await primary.kill().catch(silent);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const RECEIVERS = `select pid from pg_stat_wal_receiver where status = 'streaming'`;

export async function ask(server: Pick<LocalPostgres, 'url'>, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(server.url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
