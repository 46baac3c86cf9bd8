import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import { hashPassword, isPassword, OPERATOR } from './passwords';

/** Leaves everything as it is when this is the password already. */
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
