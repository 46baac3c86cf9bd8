import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import { hashPassword, isPassword, OPERATOR } from './passwords';

/** Has no effect if the person already has this password. */
export async function setPassword(
  deps: ChangeDeps,
  tx: Transaction,
  { userId, password }: { readonly userId: string; readonly password: string },
): Promise<void> {
  await changeRecord(deps, tx, 'user', userId, async ({ passwordHash }) => {
    const isUsed = await isPassword(passwordHash, password, OPERATOR);
    return {
      action: 'user.password_set',
      fields: isUsed ? {} : { passwordHash: await hashPassword(password, OPERATOR) },
    };
  });
}
