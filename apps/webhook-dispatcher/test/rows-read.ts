import type { Database, Queryable, Statement } from '@pay/persistence';

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows of a table that the statements of these calls read, with the plans of prepared statements. */
export async function rowsRead(
  db: Pick<Database, 'transaction'>,
  table: string,
  call: (recorded: Queryable) => Promise<unknown>,
): Promise<number> {
  const calls: { text: string; values: readonly unknown[] }[] = [];
  const record = (statement: Statement | string, values: readonly unknown[] = []): void =>
    void calls.push({ text: typeof statement === 'string' ? statement : statement.text, values });
  await call({
    query: async (...given) => {
      record(...given);
      return [];
    },
    execute: async (...given) => {
      record(...given);
      return 0;
    },
  });
  return db.transaction(async (tx) => {
    let read = 0;
    for (const { text, values } of calls) {
      await tx.execute(`prepare measured as ${text}`);
      const literals = values.map((value) => (Array.isArray(value) ? `'{${value.join()}}'` : `'${String(value)}'`));
      const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, timing off, format json) execute measured${literals.length > 0 ? `(${literals.join()})` : ''}`,
      );
      await tx.execute('deallocate measured');
      read += rowsReadOf(table, row!['QUERY PLAN'][0].Plan);
    }
    return read;
  });
}

function rowsReadOf(table: string, node: PlanNode): number {
  const own =
    node['Relation Name'] === table
      ? node['Actual Loops'] *
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0))
      : 0;
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsReadOf(table, each), own);
}
