import type { Transaction } from '@pay/persistence';
import { endOtherSessions } from './db/sessions';
import { users } from './db/tables';
import { refusalOf, type Manager, type UserChange } from './domain/people';
import { changed, type UserRecord } from './domain/records';
import { lockMerchant, lockOwn } from './lock-record';
import { managerNow } from './manager-now';
import { Refusal } from './refusal';
import { storeChange, type ChangeDeps } from './store-change';

export interface ChangeUserInput {
  readonly merchantId: string;
  readonly session: Pick<Manager, 'userId'>;
  readonly userId: string;
  readonly change: UserChange;
}

const NO_SESSION = '00000000-0000-0000-0000-000000000000';
const OTHER_OWNERS = `merchant_id = $1 and id <> $2 and role = 'OWNER' and is_active and deleted_at is null`;

/** The merchant is locked first: two owners who remove each other at once must not both find the other one there. */
export async function changeUser(
  deps: ChangeDeps,
  tx: Transaction,
  { merchantId, session, userId, change }: ChangeUserInput,
): Promise<UserRecord> {
  await lockMerchant(tx, merchantId);
  const manager = await managerNow(tx, session.userId);
  const before = await lockOwn(tx, 'user', userId, merchantId);
  const refusal = refusalOf(manager, before, change, await users.count(tx, OTHER_OWNERS, [merchantId, userId]));
  if (refusal) throw new Refusal('user', 'this person must stay as they are', refusal);
  const now = deps.now();
  const after = changed(before, change, now);
  await storeChange(deps, tx, { kind: 'user', action: actionOf(change), before, after });
  if (!after.isActive) await endOtherSessions(tx, { userId, keep: NO_SESSION, at: now, because: 'access_withdrawn' });
  return after;
}

function actionOf(change: UserChange): string {
  if ('role' in change) return 'user.role_changed';
  return change.isActive ? 'user.reactivated' : 'user.deactivated';
}
