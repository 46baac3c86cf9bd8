import { BusinessError } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { lockInvitationByToken, type Invitation } from './invitation-repository';

/** The invitation of a token that can be accepted now; whatever is wrong with it is one answer. */
export async function lockOpenInvitation(
  { now }: { readonly now: () => Date },
  tx: Transaction,
  token: string,
): Promise<Invitation> {
  const invitation = await lockInvitationByToken(tx, hashKey(token));
  const isOpen = invitation?.acceptedAt === null && invitation.revokedAt === null && invitation.expiresAt > now();
  if (!isOpen) throw new BusinessError('INVITATION_NOT_VALID');
  return invitation;
}
