import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One frozen step of a schema, in SQL. The name begins with a UTC time, which is also the order:
 * `20261121100000-create-intents`.
 */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /**
   * False for statements that cannot run in a transaction, such as CREATE INDEX CONCURRENTLY. Such a step must be
   * repeatable.
   */
  readonly transaction?: boolean;
  /**
   * Marks a contract step, which removes something that versions without the named migration use. It is refused while
   * such a version runs, and such a version does not start afterwards; the named migration must come from an earlier
   * release.
   */
  readonly contractsAfter?: string;
  /**
   * Marks a baseline, which creates the schema of earlier migrations that were removed, and names the last of them. On
   * a database that has it, the baseline is recorded as applied without being run.
   */
  readonly replaces?: string;
}

export class PendingMigrationsError extends Error {
  override readonly name = 'PendingMigrationsError';
}
export class ChangedMigrationError extends Error {
  override readonly name = 'ChangedMigrationError';
}

/** Accepts a UTC time of 14 digits, a dash and a kebab-case sentence. Example: "20261121100000-create-intents". */
const NAME = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})-[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const LEDGER = 'migrations';
export const CHECKSUMS = 'migration_checksums';
/** Applied contract steps. The table is created by the first one. */
export const CONTRACTS = 'migration_contracts';

export function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.sql).digest('hex');
}

/** TypeORM orders migrations by the 13 digits at the end of their name. */
export function ledgerName(name: string): string {
  const parts = NAME.exec(name);
  if (parts === null)
    throw new RangeError(`a migration is named <utc time>-<sentence>, such as 20261121100000-create-intents: ${name}`);
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number);
  const time = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
  return `${name}-${String(time).padStart(13, '0')}`;
}

/** The 14 digits at the beginning of a name; they sort in the order of application. */
export function timeOf(name: string): string {
  return name.slice(0, 14);
}

/** Sorted by time, because the lists of several libraries are joined. */
export function inOrder(migrations: readonly Migration[]): Migration[] {
  const sorted = [...migrations].sort((one, other) => (one.name < other.name ? -1 : 1));
  sorted.forEach((migration, index) => {
    if (migration.name === sorted[index + 1]?.name) throw new RangeError(`two migrations are named ${migration.name}`);
    assertContract(migration, sorted.slice(0, index));
    assertBaseline(migration, sorted[0]?.name ?? '');
  });
  return sorted;
}

function assertContract({ name, contractsAfter, transaction = true }: Migration, before: readonly Migration[]): void {
  if (contractsAfter === undefined) return;
  if (!before.some((earlier) => earlier.name === contractsAfter))
    throw new RangeError(`${name} contracts after ${contractsAfter}, which is no earlier migration`);
  if (!transaction) throw new RangeError(`${name} is a contract step and must run in a transaction`);
}

function assertBaseline({ name, replaces }: Migration, first: string): void {
  if (replaces !== undefined && replaces >= first)
    throw new RangeError(`${name} replaces ${replaces}, which is not earlier than all migrations`);
}

type MigrationClass = new () => MigrationInterface;

/** TypeORM requires classes. The checksum is written in the same transaction as the step. */
export function toClass(
  migration: Migration,
  runStep: (runner: QueryRunner, migration: Migration) => Promise<void>,
): MigrationClass {
  return class implements MigrationInterface {
    readonly name = ledgerName(migration.name);
    readonly transaction = migration.transaction ?? true;

    async up(runner: QueryRunner): Promise<void> {
      await runStep(runner, migration);
      await runner.query(
        `insert into ${CHECKSUMS} (name, checksum) values ($1, $2)
         on conflict (name) do update set checksum = excluded.checksum`,
        [this.name, checksumOf(migration)],
      );
    }

    down(): Promise<void> {
      return Promise.reject(new Error('migrations only go forward: write a new one'));
    }
  };
}
