import type { QueryRunner } from 'typeorm';
import { isReplaced } from './baseline';
import { CONTRACTS, inOrder, LEDGER, ledgerName, timeOf, type Migration } from './migration';

/** A contract step was not applied because a connected process still needs what it removes. */
export class ContractRefusedError extends Error {
  override readonly name = 'ContractRefusedError';
}

export class ContractedSchemaError extends Error {
  override readonly name = 'ContractedSchemaError';
}

/**
 * Name of a connection: the service and the newest migration that its code knows. Example: "intent-api@20261121100000".
 */
export function versionedName(applicationName: string, migrations: readonly Migration[]): string {
  const newest = inOrder(migrations).at(-1);
  return newest === undefined ? applicationName : `${applicationName}@${timeOf(newest.name)}`;
}

/**
 * Sessions of this role, and of the second role that services use while a password is rotated, whose code does not know
 * the migration of this time. Sessions without a version count: earlier code has none.
 */
const OLDER_SESSIONS = `select application_name as name, count(*)::int as sessions from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    and (usename = current_user or usesysid in (select member from pg_auth_members where roleid = current_user::regrole))
    and application_name <> 'migrate' and coalesce(substring(application_name from '@(\\d{14})$'), '') < $1
  group by application_name order by application_name`;

/**
 * Refuses a contract step while code that uses the removed parts is connected. A process that connects meanwhile waits
 * for the lock in `refuseContracted` and then sees the step.
 */
export async function refuseWhileOlderRun(runner: QueryRunner, { name, contractsAfter }: Migration): Promise<void> {
  if (contractsAfter === undefined) return;
  await runner.query(`lock table ${LEDGER} in access exclusive mode`);
  const older = (await runner.query(OLDER_SESSIONS, [timeOf(contractsAfter)])) as { name: string; sessions: number }[];
  if (older.length > 0) {
    const who = older.map((each) => `${each.name} (${each.sessions} sessions)`).join(', ');
    throw new ContractRefusedError(
      `${name} is refused while processes run that do not know ${contractsAfter}: ${who}. ` +
        'Finish the rollout of the version that does, then run the migrations again',
    );
  }
  await runner.query(`create table if not exists ${CONTRACTS} (name text primary key, contracts_after text not null)`);
  await runner.query(`insert into ${CONTRACTS} (name, contracts_after) values ($1, $2) on conflict do nothing`, [
    ledgerName(name),
    contractsAfter,
  ]);
}

/**
 * Refuses to run code on a schema from which a contract step has removed required parts. Call it after the ledger was
 * read.
 */
export async function refuseContracted(runner: QueryRunner, migrations: readonly Migration[]): Promise<void> {
  const [table] = (await runner.query(`select to_regclass('${CONTRACTS}') is not null as exists`)) as {
    exists: boolean;
  }[];
  if (table?.exists !== true) return;
  const known = new Set(migrations.map(({ name }) => name));
  const steps = (await runner.query(`select name, contracts_after from ${CONTRACTS} order by name`)) as {
    name: string;
    contracts_after: string;
  }[];
  const missed = steps.find(
    (step) => !known.has(step.contracts_after) && !isReplaced(step.contracts_after, migrations),
  );
  if (missed !== undefined) {
    throw new ContractedSchemaError(
      `this version is too old for the database: migration ${missed.name} removed columns or tables that it uses. ` +
        `Run a version that contains migration ${missed.contracts_after}`,
    );
  }
}
