import { command, oldRowsInOrder, statement, type OldRows, type Queryable } from '@pay/persistence';

export const LOGIN_ATTEMPTS = 'login_attempts';

export const deleteLoginAttempts = command<[patterns: readonly string[]]>(
  'login-forgive',
  `delete from ${LOGIN_ATTEMPTS} where key like any ($1::text[])`,
);

export function expiredAttempts(now: Date): OldRows {
  return oldRowsInOrder({ table: LOGIN_ATTEMPTS, order: 'expire', orderType: 'bigint', before: now.getTime() });
}

export function storeClientOf(db: Queryable) {
  return {
    async query({ name, text, values }: { name: string; text: string; values: unknown[] }) {
      const rows = await db.query(statement(name, text), values);
      return { rows, rowCount: rows.length };
    },
  };
}
