import { randomBytes } from 'node:crypto';
import type { Role } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { hasOpenInvitation, insertInvitation, type Invitation } from './db/invitations';
import { users } from './db/tables';
import { INVITATION_DAYS, maySetRole, type Manager } from './domain/people';
import { lockMerchant } from './lock-record';
import { managerNow } from './manager-now';
import { recordAction } from './record-action';
import { Refusal } from './refusal';
import type { ChangeDeps } from './store-change';

export interface CreateInvitationInput {
  readonly merchantId: string;
  readonly session: Pick<Manager, 'userId'>;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The token is answered once; its SHA-256 is all that is kept. One open invitation per address, so that revoking it is enough. */
export async function createInvitation(
  deps: ChangeDeps,
  tx: Transaction,
  { merchantId, session, email: written, name, role }: CreateInvitationInput,
): Promise<{ invitation: Invitation; token: string }> {
  await lockMerchant(tx, merchantId);
  const manager = await managerNow(tx, session.userId);
  if (!maySetRole(manager, role)) throw new Refusal('role', 'only an OWNER invites an OWNER', 'FORBIDDEN');
  const email = written.toLowerCase();
  const now = deps.now();
  if (await users.find(tx, 'email = $1', [email]))
    throw new Refusal('email', 'it has an account already', 'EMAIL_TAKEN');
  if (await hasOpenInvitation(tx, merchantId, email, now))
    throw new Refusal('email', 'it has an open invitation', 'INVITATION_OPEN');
  const token = randomBytes(32).toString('base64url');
  const invitation: Invitation = {
    ...{ id: deps.newId(), merchantId, email, name, role, createdBy: manager.userId, createdAt: now },
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    acceptedAt: null,
    revokedAt: null,
  };
  await insertInvitation(tx, invitation, hashKey(token));
  await recordAction(deps, tx, {
    action: 'invitation.created',
    subjectKind: 'invitation',
    subjectId: invitation.id,
    merchantId,
    after: invitation,
  });
  return { invitation, token };
}
