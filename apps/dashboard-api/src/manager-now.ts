import type { Transaction } from '@pay/persistence';
import { users } from './db/tables';
import { mayManage, type Manager } from './domain/people';
import { Refusal } from './refusal';

/** What a session may is up to a second old. Who makes people more or less must be a manager in this very transaction. */
export async function managerNow(tx: Transaction, userId: string): Promise<Manager> {
  const user = await users.find(tx, 'id = $1 and is_active and deleted_at is null', [userId]);
  if (!user || !mayManage(user.role)) throw new Refusal('user', 'only a manager does this', 'FORBIDDEN');
  return { userId, role: user.role };
}
