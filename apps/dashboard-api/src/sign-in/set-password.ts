import type { Transaction } from '@pay/persistence';
import { hashPassword, isPassword } from './passwords';
import { changed } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface SetPasswordInput {
  readonly userId: string;
  readonly password: string;
}

/** Leaves everything as it is when this is the password already. */
export async function setPassword(
  deps: ChangeDeps,
  tx: Transaction,
  { userId, password }: SetPasswordInput,
): Promise<void> {
  const before = await lockRecord(tx, 'user', userId);
  if (await isPassword(before.passwordHash, password)) return;
  const after = changed(before, { passwordHash: await hashPassword(password) }, deps.now());
  await storeChange(deps, tx, { kind: 'user', action: 'user.password_set', before, after });
}
