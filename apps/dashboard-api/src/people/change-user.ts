import type { Transaction } from '@pay/persistence';
import { changeMembership, countOtherOwners, findMember, type Member } from './membership-repository';
import { endOtherSessions } from '../sign-in/session-repository';
import { openInvitationsBy } from './invitation-repository';
import { revokeInvitation } from './revoke-invitation';
import { users } from '../db/tables';
import { mayInvite, refusalOf, type Manager, type UserChange } from '../domain/people';
import { lockMerchant } from '../changes/lock-record';
import { managerNow } from './manager-now';
import { recordAction } from '../changes/record-action';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

export interface ChangeUserInput {
  readonly merchantId: string;
  readonly session: Pick<Manager, 'userId'>;
  readonly userId: string;
  readonly change: UserChange;
}

/**
 * Other merchants of the person are not affected. The merchant is locked first, so that two owners cannot remove each
 * other concurrently.
 */
export async function changeUser(
  deps: ChangeDeps,
  tx: Transaction,
  { merchantId, session, userId, change }: ChangeUserInput,
): Promise<Member> {
  await lockMerchant(tx, merchantId);
  const manager = await managerNow(tx, session.userId, merchantId);
  await users.lock(tx, userId);
  const before = await findMember(tx, userId, merchantId);
  if (!before) throw new Refusal('user', `there is no user ${userId}`, 'NOT_FOUND');
  const refusal = refusalOf(manager, before, change, await countOtherOwners(tx, merchantId, userId));
  if (refusal) throw new Refusal('user', 'this user cannot be changed', refusal);
  const after = { ...before, ...change };
  if (after.role === before.role && after.isActive === before.isActive) return before;
  const at = deps.now();
  const stored = { ...after, version: before.version + 1, updatedAt: at };
  await changeMembership(tx, stored);
  await recordAction(deps, tx, { action: actionOf(change), subjectId: userId, merchantId, before, after: stored });
  const others = { userId, at, because: 'access_withdrawn', merchantId } as const;
  if (!stored.isActive) await endOtherSessions(tx, others);
  // Otherwise the person could return with an invitation that they created for another address.
  for (const { id, role } of await openInvitationsBy(tx, merchantId, userId, at))
    if (!mayInvite(stored, role)) await revokeInvitation(deps, tx, { merchantId, invitationId: id });
  return stored;
}

function actionOf(change: UserChange): string {
  if ('role' in change) return 'user.role_changed';
  return change.isActive ? 'user.reactivated' : 'user.deactivated';
}
