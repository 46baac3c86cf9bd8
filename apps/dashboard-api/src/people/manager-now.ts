import type { Transaction } from '@pay/persistence';
import { findMember } from './membership-repository';
import { mayManage, type Manager } from '../domain/people';
import { Refusal } from '../changes/refusal';

/**
 * What a session may is up to a second old. Who makes people more or less must be a manager of the merchant in this
 * very transaction.
 */
export async function managerNow(tx: Transaction, userId: string, merchantId: string): Promise<Manager> {
  const member = await findMember(tx, userId, merchantId);
  if (!member?.isActive || !mayManage(member.role)) throw new Refusal('user', 'only a manager does this', 'FORBIDDEN');
  return { userId, role: member.role };
}
