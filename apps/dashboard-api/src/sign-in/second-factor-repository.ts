import { statement, type Queryable, type Transaction } from '@pay/persistence';

export interface SecondFactorRow {
  readonly sealedSecret: string;
  /** Null until the first code has been given back. */
  readonly confirmedAt: Date | null;
}

const LOCK = statement(
  'second-factor-lock',
  `select sealed_secret as "sealedSecret", confirmed_at as "confirmedAt" from second_factors where user_id = $1 for update`,
);
const BEGIN = statement(
  'second-factor-begin',
  `insert into second_factors (user_id, sealed_secret, created_at) values ($1, $2, $3)
   on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
    where second_factors.confirmed_at is null`,
);
const CONFIRM = statement('second-factor-confirm', 'update second_factors set confirmed_at = $2 where user_id = $1');
const SPEND_STEP = statement(
  'second-factor-spend-step',
  'update second_factors set last_step = $2 where user_id = $1 and last_step < $2',
);
const DELETE = statement('second-factor-delete', 'delete from second_factors where user_id = $1');
const INSERT_CODES = statement(
  'recovery-code-insert',
  'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::text[])',
);
const SPEND_CODE = statement(
  'recovery-code-spend',
  'update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null',
);
const KEYS_IN_USE = statement(
  'second-factor-keys',
  `select split_part(sealed_secret, ':', 1) as id from second_factors union select split_part(sealed, ':', 1) from mails order by id`,
);

export async function lockSecondFactor(tx: Transaction, userId: string): Promise<SecondFactorRow | undefined> {
  return (await tx.query<SecondFactorRow>(LOCK, [userId]))[0];
}

/** False where one is on already. */
export async function beginSecondFactor(tx: Transaction, userId: string, sealed: string, at: Date): Promise<boolean> {
  return (await tx.execute(BEGIN, [userId, sealed, at])) === 1;
}

export async function confirmSecondFactor(
  tx: Transaction,
  userId: string,
  codeHashes: readonly string[],
  at: Date,
): Promise<void> {
  await tx.execute(CONFIRM, [userId, at]);
  await tx.execute(INSERT_CODES, [userId, codeHashes]);
}

/** False for a step that is not after the last one: a code works once. */
export async function spendStep(tx: Transaction, userId: string, step: number): Promise<boolean> {
  return (await tx.execute(SPEND_STEP, [userId, step])) === 1;
}

export async function spendRecoveryCode(tx: Transaction, userId: string, codeHash: string, at: Date): Promise<boolean> {
  return (await tx.execute(SPEND_CODE, [userId, codeHash, at])) === 1;
}

/** Its recovery codes go with it. False where there was none. */
export async function deleteSecondFactor(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.execute(DELETE, [userId])) === 1;
}

/** Ids of the keys that something is sealed with. */
export async function secondFactorKeysInUse(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>(KEYS_IN_USE)).map(({ id }) => id);
}
