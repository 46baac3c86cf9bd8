import type { Transaction } from '@pay/persistence';
import { lockInvitation, revokeStoredInvitation, type Invitation } from './invitation-repository';
import { recordAction } from '../changes/record-action';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

/** Permanent. A repeated call keeps the time of the first one. */
export async function revokeInvitation(
  deps: ChangeDeps,
  tx: Transaction,
  { merchantId, invitationId }: { merchantId: string; invitationId: string },
): Promise<Invitation> {
  const before = await lockInvitation(tx, invitationId, merchantId);
  if (!before) throw new Refusal('invitation', 'there is no such invitation', 'NOT_FOUND');
  if (before.acceptedAt !== null) throw new Refusal('invitation', 'it has been accepted', 'INVITATION_ACCEPTED');
  if (before.revokedAt !== null) return before;
  const revokedAt = deps.now();
  const after = { ...before, revokedAt };
  await revokeStoredInvitation(tx, invitationId, revokedAt);
  await recordAction(deps, tx, { action: 'invitation.revoked', subjectId: invitationId, merchantId, before, after });
  return after;
}
