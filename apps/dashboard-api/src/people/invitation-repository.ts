import type { Role } from '@pay/contracts';
import { count, firstRow, inTransaction, pageOfRows, rows } from '@pay/persistence';

export interface Invitation {
  readonly id: string;
  readonly merchantId: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

const COLUMNS = `id, merchant_id as "merchantId", email, name, role, expires_at as "expiresAt", accepted_at as "acceptedAt",
  revoked_at as "revokedAt", created_by as "createdBy", created_at as "createdAt"`;

export const insertInvitation = inTransaction.command(
  'invitation-insert',
  `insert into invitations (id, merchant_id, email, name, role, token_hash, expires_at, created_by, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  ({ id, merchantId, email, name, role, expiresAt, createdBy, createdAt }: Invitation, tokenHash: string) => [
    ...[id, merchantId, email, name, role, tokenHash, expiresAt, createdBy, createdAt],
  ],
);

export const lockInvitation = inTransaction.firstRow<Invitation, [id: string, merchantId: string]>(
  'invitation-lock',
  `select ${COLUMNS} from invitations where id = $1 and merchant_id = $2 for update`,
);

/** Read first, because the merchant must be locked before the invitation, as in a change of a person. */
export const merchantOfInvitation = firstRow<Pick<Invitation, 'merchantId'>, [tokenHash: string]>(
  'invitation-merchant',
  'select merchant_id as "merchantId" from invitations where token_hash = $1',
);

export const lockInvitationByToken = inTransaction.firstRow<Invitation, [tokenHash: string]>(
  'invitation-lock-by-token',
  `select ${COLUMNS} from invitations where token_hash = $1 for update`,
);

export const acceptStoredInvitation = inTransaction.command<[id: string, at: Date]>(
  'invitation-accept',
  'update invitations set accepted_at = $2 where id = $1',
);

export const revokeStoredInvitation = inTransaction.command<[id: string, at: Date]>(
  'invitation-revoke',
  'update invitations set revoked_at = $2 where id = $1',
);

export const findOpenInvitation = firstRow<{ readonly id: string }, [merchantId: string, email: string, now: Date]>(
  'invitation-is-open',
  `select id from invitations
    where merchant_id = $1 and email = $2 and accepted_at is null and revoked_at is null and expires_at > $3`,
);

/** Open invitations of an inviter. Lock the merchant if a decision depends on them. */
export const openInvitationsBy = rows<Pick<Invitation, 'id' | 'role'>, [merchantId: string, userId: string, now: Date]>(
  'invitations-open-by-inviter',
  `select id, role from invitations
    where merchant_id = $1 and created_by = $2 and accepted_at is null and revoked_at is null and expires_at > $3
    order by id`,
);

/** Includes revoked invitations. */
export const countInvitationsSince = count<[merchantId: string, since: Date]>(
  'invitations-count-since',
  'select count(*)::integer as total from invitations where merchant_id = $1 and created_at > $2',
);

/** Newest first. */
export const pageOfInvitations = pageOfRows<Invitation, [merchantId: string]>('invitations', {
  columns: COLUMNS,
  from: 'from invitations where merchant_id = $1',
  order: 'id desc',
});
