import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import { forgetBrowsers } from './known-browser-repository';
import { hashPassword, newPassword, OPERATOR } from './passwords';
import { repairAccess, type RepairDeps, type Repaired } from './repair-access';

/** The new password is returned only once. The second factor stays, so that it still protects the account. */
export async function resetPassword(
  deps: RepairDeps,
  tx: Transaction,
  { email }: { readonly email: string },
): Promise<Repaired & { password: string }> {
  return repairAccess(deps, tx, { email, because: 'password_changed' }, async ({ id }) => {
    const password = newPassword();
    const passwordHash = await hashPassword(password, OPERATOR);
    await changeRecord(deps, tx, 'user', id, () => ({ action: 'user.password_reset', fields: { passwordHash } }));
    await forgetBrowsers(tx, id, null);
    return { password };
  });
}
