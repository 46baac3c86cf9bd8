import type { QueryRunner } from 'typeorm';
import { LEDGER, ledgerName, type Migration } from './migration';

/** The last migration of the database came from a version before the one that the baseline replaces. */
export class IncompleteHistoryError extends Error {
  override readonly name = 'IncompleteHistoryError';
}

/** Baselines are later than everything that they replace, so these are the migrations before the first one. */
export function isReplaced(name: string, ordered: readonly Migration[]): boolean {
  const [first] = ordered;
  return first !== undefined && name < first.name;
}

/** On such a schema a baseline can neither run nor be recorded as applied. */
export function refuseIncompleteHistory(ordered: readonly Migration[], appliedNames: readonly string[]): void {
  if (!appliedNames.some((name) => isReplaced(name, ordered))) return;
  const applied = new Set(appliedNames);
  const missing = ordered.flatMap(({ name, replaces }) =>
    replaces === undefined || applied.has(ledgerName(name)) || applied.has(ledgerName(replaces)) ? [] : [replaces],
  );
  if (missing.length > 0) {
    throw new IncompleteHistoryError(
      `the database lacks migrations of the previous version: ${missing.join(', ')}. ` +
        'Install the previous version and run its migrations first',
    );
  }
}

export async function isInPlace(runner: QueryRunner, { replaces }: Migration): Promise<boolean> {
  if (replaces === undefined) return false;
  const rows = (await runner.query(`select from ${LEDGER} where name = $1`, [ledgerName(replaces)])) as unknown[];
  return rows.length > 0;
}
