import { randomBytes } from 'node:crypto';
import { DAY_MS, type Role } from '@pay/contracts';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { countInvitationsSince, findOpenInvitation, insertInvitation, type Invitation } from './invitation-repository';
import { findMemberByEmail } from './membership-repository';
import { users } from '../db/tables';
import { invitationMail } from '../domain/mail-texts';
import { INVITATION_DAYS, maySetRole, type Manager } from '../domain/people';
import { lockMerchant } from '../changes/lock-record';
import type { MailQueue } from '../mails/mail-queue';
import { managerNow } from './manager-now';
import { recordAction } from '../changes/record-action';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

export interface CreateInvitationInput {
  readonly merchantId: string;
  readonly session: Pick<Manager, 'userId'>;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** Limits the mails that a merchant can cause to any address. */
const MOST_A_DAY = 50;

export interface InvitationDeps extends ChangeDeps {
  readonly mails: MailQueue;
  readonly apiUrl: string;
  readonly dashboardUrl: string | undefined;
}

/**
 * The token is sent only to the invited address and stored as SHA-256. An address has at most one open invitation, so
 * that revoking it is enough.
 */
export async function createInvitation(
  deps: InvitationDeps,
  tx: Transaction,
  { merchantId, session, email: written, name, role }: CreateInvitationInput,
): Promise<Invitation> {
  const merchant = await lockMerchant(tx, merchantId);
  const manager = await managerNow(tx, session.userId, merchantId);
  if (!maySetRole(manager, role)) throw new Refusal('role', 'only an OWNER invites an OWNER', 'FORBIDDEN');
  const email = written.toLowerCase();
  const now = deps.now();
  if (await findMemberByEmail(tx, email, merchantId))
    throw new Refusal('email', 'it belongs to this merchant already', 'ALREADY_MEMBER');
  if (await findOpenInvitation(tx, merchantId, email, now))
    throw new Refusal('email', 'it has an open invitation', 'INVITATION_OPEN');
  if ((await countInvitationsSince(tx, merchantId, new Date(now.getTime() - DAY_MS))) >= MOST_A_DAY)
    throw new Refusal('email', 'too many have been invited today', 'INVITATION_LIMIT_REACHED');
  const token = randomBytes(32).toString('base64url');
  const invitation: Invitation = {
    id: deps.newId(),
    merchantId,
    email,
    name,
    role,
    createdBy: manager.userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    acceptedAt: null,
    revokedAt: null,
  };
  await insertInvitation(tx, invitation, hashKey(token));
  await recordAction(deps, tx, {
    action: 'invitation.created',
    subjectId: invitation.id,
    merchantId,
    after: invitation,
  });
  const inviter = await users.find(tx, manager.userId);
  const { apiUrl, dashboardUrl } = deps;
  const about = { merchantName: merchant.name, inviterName: inviter?.name ?? merchant.name, role, token };
  const mail = invitationMail({ ...about, expiresAt: invitation.expiresAt, apiUrl, dashboardUrl });
  await deps.mails.add(tx, { to: email, ...mail });
  return invitation;
}
