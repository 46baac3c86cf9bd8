import type { Transaction } from '@pay/persistence';
import { findMember } from './membership-repository';
import { mayManage, type Manager } from '../domain/people';
import { Refusal } from '../changes/refusal';

/**
 * The permissions of a session can be a second old. Changes of permissions check the role of the actor in their own
 * transaction.
 */
export async function managerNow(tx: Transaction, userId: string, merchantId: string): Promise<Manager> {
  const member = await findMember(tx, userId, merchantId);
  if (!member?.isActive || !mayManage(member.role))
    throw new Refusal('user', 'requires the role OWNER or ADMIN', 'FORBIDDEN');
  return { userId, role: member.role };
}
