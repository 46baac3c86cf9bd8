import { type Role, BusinessError } from '@pay/contracts';
import { type Session } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { acceptStoredInvitation } from './invitation-repository';
import { findMember, insertMembership } from './membership-repository';
import { users } from '../db/tables';
import { lockOpenInvitation, type OpenInvitation } from './lock-open-invitation';
import { recordAction } from '../changes/record-action';
import type { SignInDeps } from '../sign-in/sign-in-deps';

/** The invited address must be the address of the account. The token proves access to its mailbox. */
export function joinMerchant(
  deps: SignInDeps,
  { session, token }: { readonly session: Session; readonly token: string },
): Promise<{ merchant: { id: string; name: string }; role: Role }> {
  const { userId } = session;
  return deps.db.transaction(async (tx) => {
    const invitation = await lockOpenInvitation(deps, tx, token);
    const { email, merchantId, merchantName, role } = invitation;
    const user = await users.lock(tx, userId);
    if (user?.email !== email) throw new BusinessError('INVITATION_NOT_VALID');
    if (await findMember(tx, userId, merchantId)) throw new BusinessError('ALREADY_MEMBER');
    await addInvited(deps, tx, userId, invitation);
    return { merchant: { id: merchantId, name: merchantName }, role };
  });
}

/** The merchant must be locked, and the person must not be its member. */
export async function addInvited(
  deps: SignInDeps,
  tx: Transaction,
  userId: string,
  { id, email, merchantId, role }: OpenInvitation,
): Promise<void> {
  const at = deps.now();
  const actor = `user:${userId}`;
  await insertMembership(tx, userId, merchantId, role, at);
  await acceptStoredInvitation(tx, id, at);
  const joined = { action: 'user.joined', subjectId: userId, merchantId, after: { email, role } };
  await recordAction({ ...deps, actor }, tx, joined);
  await recordAction({ ...deps, actor }, tx, {
    action: 'invitation.accepted',
    subjectId: id,
    merchantId,
    before: { acceptedAt: null },
    after: { acceptedAt: at, userId },
  });
}
