import { BusinessError } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { lockInvitationByToken, merchantOfInvitation, type Invitation } from './invitation-repository';
import { merchants } from '../db/tables';

export interface OpenInvitation extends Invitation {
  readonly merchantName: string;
}

/**
 * All invalid tokens get the same error. The merchant is locked first, so that a change of the inviter commits before
 * or after.
 */
export async function lockOpenInvitation(
  { now }: { readonly now: () => Date },
  tx: Transaction,
  token: string,
): Promise<OpenInvitation> {
  const tokenHash = hashKey(token);
  const { merchantId } = (await merchantOfInvitation(tx, tokenHash)) ?? {};
  const merchant = merchantId === undefined ? undefined : await merchants.lock(tx, merchantId);
  const invitation = merchant && (await lockInvitationByToken(tx, tokenHash));
  const isOpen = invitation?.acceptedAt === null && invitation.revokedAt === null && invitation.expiresAt > now();
  if (!isOpen || !merchant?.isActive || merchant.deletedAt !== null) throw new BusinessError('INVITATION_NOT_VALID');
  return { ...invitation, merchantName: merchant.name };
}
