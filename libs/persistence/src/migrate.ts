import { setTimeout as delay } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { isInPlace, isReplaced, refuseIncompleteHistory } from './baseline';
import { refuseContracted, refuseWhileOlderRun } from './contract-step';
import { dataSource } from './data-source';
import { isLockTimeout } from './errors';
import type { Log } from './log';
import {
  ChangedMigrationError,
  checksumOf,
  CHECKSUMS,
  inOrder,
  LEDGER,
  ledgerName,
  PendingMigrationsError,
  toClass,
  type Migration,
} from './migration';

export interface MigrateOptions {
  readonly url: string;
  readonly migrations: readonly Migration[];
  readonly log: Log;
}

/**
 * While a schema change waits for a table lock, all later queries on that table wait too, and fail after ten seconds.
 * So it waits briefly, and is tried again.
 */
const LOCK_TIMEOUT = '3s';
const MOST_TRIES = 20;
const PAUSE_MS = 1_000;
/** Of steps without a transaction, such as CREATE INDEX CONCURRENTLY, for which queries do not wait. */
const LOCK_TIMEOUT_ALONE = '15s';
const LOCK_POLL_MS = 100;

/**
 * Applies pending migrations, each in its own transaction, and returns their names. Concurrent processes wait for an
 * advisory lock of the schema; throws if an applied migration was edited or the history before a baseline has a gap.
 */
export async function migrate({ url, migrations, log }: MigrateOptions): Promise<string[]> {
  const ordered = inOrder(migrations);
  const source = dataSource({
    url,
    poolSize: 1,
    applicationName: 'migrate',
    statementTimeoutMs: 0,
    log,
    migrations: ordered.map((migration) => toClass(migration, runStep)),
  });
  await source.initialize();
  // Lock and migrations share one connection, so that both end together.
  const runner = source.createQueryRunner();
  const applied: string[] = [];
  try {
    await lockSchema(runner);
    await runner.query(`set lock_timeout = '${LOCK_TIMEOUT_ALONE}'`);
    await runner.query(
      `create table if not exists ${CHECKSUMS} (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const before = await appliedMigrations(runner);
    refuseChanged(ordered, before);
    refuseIncompleteHistory(
      ordered,
      before.map(({ name }) => name),
    );
    try {
      await applyPending(source, runner, log);
    } finally {
      // Of a failed run too: earlier steps are committed.
      const known = new Set(before.map(({ name }) => name));
      applied.push(...(await appliedMigrations(runner)).map(({ name }) => name).filter((name) => !known.has(name)));
      for (const name of applied) log.info({ migration: plainName(name) }, 'migration.applied');
    }
    return applied.map(plainName);
  } finally {
    await runner.release();
    await source.destroy();
  }
}

async function runStep(runner: QueryRunner, migration: Migration): Promise<void> {
  if (await isInPlace(runner, migration)) return;
  await refuseWhileOlderRun(runner, migration);
  if (migration.transaction ?? true) await runner.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  else await dropInvalidIndexes(runner);
  await runner.query(migration.sql);
}

/**
 * CREATE INDEX CONCURRENTLY that fails leaves an invalid index, and IF NOT EXISTS of its repetition would accept it.
 * Indexes of an unfinished REINDEX CONCURRENTLY (`_ccnew`, `_ccold`, with a number if there are several) are kept.
 */
const INVALID_INDEXES = `select format('%I', relname) as name from pg_index join pg_class on pg_class.oid = indexrelid
  where not indisvalid and relnamespace = current_schema()::regnamespace and relkind = 'i' and relname !~ '_cc(new|old)[0-9]*$'`;

async function dropInvalidIndexes(runner: QueryRunner): Promise<void> {
  const invalid = await rows<{ name: string }>(runner, INVALID_INDEXES);
  for (const { name } of invalid) await runner.query(`drop index concurrently if exists ${name}`);
}

async function applyPending(source: DataSource, runner: QueryRunner, log: Log): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'each';
    try {
      await executor.executePendingMigrations();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tries === MOST_TRIES) throw error;
      log.info({ tries }, 'migration.lock_awaited');
      await delay(PAUSE_MS);
    }
  }
}

/**
 * Polls instead of waiting in the server: a waiting statement holds a snapshot, and CREATE INDEX CONCURRENTLY of the
 * lock holder would wait for it.
 */
async function lockSchema(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [answer] = await rows<{ locked: boolean }>(
      runner,
      `select pg_try_advisory_lock(hashtext('migrations'), hashtext(current_schema())) as locked`,
    );
    if (answer?.locked === true) return;
    await delay(LOCK_POLL_MS);
  }
}

interface Applied {
  readonly name: string;
  readonly checksum: string | null;
}

async function rows<Row>(runner: QueryRunner, sql: string): Promise<Row[]> {
  return (await runner.query(sql)) as Row[];
}

async function appliedMigrations(runner: QueryRunner): Promise<Applied[]> {
  const [tables] = await rows<{ ready: boolean }>(
    runner,
    `select to_regclass('${LEDGER}') is not null and to_regclass('${CHECKSUMS}') is not null as ready`,
  );
  if (tables?.ready !== true) return [];
  return rows<Applied>(
    runner,
    `select ledger.name, sums.checksum from ${LEDGER} ledger left join ${CHECKSUMS} sums using (name)`,
  );
}

/**
 * Throws if the schema is older than the code or its history was edited. Returns the steps that this code does not
 * know, without those before a baseline: during a rollout or rollback the previous version runs on the new schema.
 */
export async function refuseUnlessMigrated(source: DataSource, migrations: readonly Migration[]): Promise<string[]> {
  const ordered = inOrder(migrations);
  const runner = source.createQueryRunner();
  let applied: Applied[];
  try {
    applied = await readLedger(runner, ordered);
  } finally {
    await runner.release();
  }
  refuseChanged(ordered, applied);
  const appliedNames = new Set(applied.map((row) => row.name));
  const pending = ordered.filter((migration) => !appliedNames.has(ledgerName(migration.name)));
  if (pending.length > 0) {
    throw new PendingMigrationsError(
      `run the migrations first; pending: ${pending.map((each) => each.name).join(', ')}`,
    );
  }
  const known = new Set(ordered.map((migration) => ledgerName(migration.name)));
  return applied
    .filter(({ name }) => !known.has(name) && !isReplaced(name, ordered))
    .map(({ name }) => plainName(name));
}

/** The order matters: reading the ledger waits for a contract step in progress. */
async function readLedger(runner: QueryRunner, migrations: readonly Migration[]): Promise<Applied[]> {
  const applied = await appliedMigrations(runner);
  await refuseContracted(runner, migrations);
  return applied;
}

function refuseChanged(migrations: readonly Migration[], applied: readonly Applied[]): void {
  const checksums = new Map(applied.map((row) => [row.name, row.checksum]));
  for (const migration of migrations) {
    const checksum = checksums.get(ledgerName(migration.name));
    if (checksum !== undefined && checksum !== null && checksum !== checksumOf(migration)) {
      throw new ChangedMigrationError(
        `${migration.name} was edited after it had been applied; write a new migration instead`,
      );
    }
  }
}

function plainName(name: string): string {
  return name.replace(/-\d{13}$/, '');
}
