import { command, inTransaction, mapped, type Transaction } from '@pay/persistence';

export interface SecondFactorRow {
  readonly sealedSecret: string;
  /** Null until the first code was confirmed. */
  readonly confirmedAt: Date | null;
}

export const lockSecondFactor = inTransaction.firstRow<SecondFactorRow, [userId: string]>(
  'second-factor-lock',
  `select sealed_secret as "sealedSecret", confirmed_at as "confirmedAt" from second_factors where user_id = $1 for update`,
);

/** Returns 0 if a second factor is already on. */
export const beginSecondFactor = inTransaction.command<[userId: string, sealed: string, at: Date]>(
  'second-factor-begin',
  `insert into second_factors (user_id, sealed_secret, created_at) values ($1, $2, $3)
   on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
    where second_factors.confirmed_at is null`,
);

const confirm = command<[userId: string, at: Date]>(
  'second-factor-confirm',
  'update second_factors set confirmed_at = $2 where user_id = $1',
);
const insertRecoveryCodes = command<[userId: string, codeHashes: readonly string[]]>(
  'recovery-code-insert',
  'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::text[])',
);

export async function confirmSecondFactor(
  tx: Transaction,
  userId: string,
  codeHashes: readonly string[],
  at: Date,
): Promise<void> {
  await confirm(tx, userId, at);
  await insertRecoveryCodes(tx, userId, codeHashes);
}

/** Returns 0 for a step that is not later than the last one, because a code works once. */
export const spendStep = inTransaction.command<[userId: string, step: number]>(
  'second-factor-spend-step',
  'update second_factors set last_step = $2 where user_id = $1 and last_step < $2',
);

/** Returns 0 for a code that is wrong or was used before. */
export const spendRecoveryCode = inTransaction.command<[userId: string, codeHash: string, at: Date]>(
  'recovery-code-spend',
  'update recovery_codes set used_at = $3 where user_id = $1 and code_hash = $2 and used_at is null',
);

/** Also deletes the recovery codes. */
export const deleteSecondFactor = inTransaction.command<[userId: string]>(
  'second-factor-delete',
  'delete from second_factors where user_id = $1',
);

/** Ids of the encryption keys of stored secrets. */
export const encryptionKeysInUse = mapped(({ id }: { readonly id: string }) => id).rows(
  'encryption-keys-in-use',
  `select split_part(sealed, ':', 1) as id from (
     select sealed_secret as sealed from second_factors union all select sealed from mails union all select sealed_secret from test_endpoints
   ) stored group by id order by id`,
);
