import { oldRowsInOrder, statement, type OldRows, type Queryable } from '@pay/persistence';

export const LOGIN_ATTEMPTS = 'login_attempts';
const DELETE = statement(
  'login-forgive',
  `delete from ${LOGIN_ATTEMPTS} where key like $1 or key like $2 or key like $3`,
);

/** Deletes the counts whose keys are like one of three patterns, and returns how many there were. */
export async function deleteLoginAttempts(db: Queryable, patterns: readonly string[]): Promise<number> {
  return db.execute(DELETE, patterns);
}

/** Counts whose time is over. */
export function expiredAttempts(now: Date): OldRows {
  return oldRowsInOrder({ table: LOGIN_ATTEMPTS, order: 'expire', orderType: 'bigint', before: now.getTime() });
}

/** The part of the driver's client that rate-limiter-flexible uses. */
export function storeClientOf(db: Queryable) {
  return {
    async query({ name, text, values }: { name: string; text: string; values: unknown[] }) {
      const rows = await db.query(statement(name, text), values);
      return { rows, rowCount: rows.length };
    },
  };
}
